import { randomInt } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { getAccountId, type Principal } from '../keys/principal.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { AppError } from '../platform/errors/app-error.js';
import type { Claim } from '../platform/http/claim.js';
import { isStorable, NOT_STORABLE } from '../platform/http/text.js';
import { readPersonRow } from '../finder/person-row.js';
import { MailWorlds } from '../verify/mail-worlds.js';
import { BatchIntakeStore } from './batch-intake.store.js';
import { BatchSettlementService } from './batch-settlement.service.js';
import { BatchUpload } from './batch-upload.js';
import { type BatchEndpoint, BatchWebhookService } from './batch-webhook.service.js';
import type { BatchKind } from './batch.lifecycle.js';
import { BatchStore, type NewBatch } from './batch.store.js';
import { type IntakeSettings, invalid, type RowPiece } from './intake/intake-row.js';
import { MOST_PEOPLE } from './intake/people-reader.js';
import { readOperators } from './intake/operators.js';
import { Packer } from './intake/packer.js';

const MOST_NAME = 200;
/** 48 bits, without the smallest: random, so that they tell nobody how many batches there were. */
const LEAST_ID = 2 ** 40;
const MOST_ID = 2 ** 48 - 1;

export interface TakenBatch {
  readonly id: number;
  readonly totalRows: number;
  readonly uniqueAddresses: number;
  /** Of the batch's own URL; null when it names none. */
  readonly webhook: BatchEndpoint | null;
}

/** Takes a list in: streamed into the tables while it comes, then queued and paid for in one transaction. */
@Injectable()
export class BatchIntakeService {
  private readonly logger = new Logger(BatchIntakeService.name);
  private readonly operators = readOperators();
  private readonly blocks = new BatchIntakeStore();

  constructor(
    private readonly database: DataSource,
    private readonly batches: BatchStore,
    private readonly settlement: BatchSettlementService,
    private readonly webhooks: BatchWebhookService,
    private readonly worlds: MailWorlds,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /**
   * @param rows read to their end before the batch exists; when they fail nothing of them remains
   * @param settings what the body says beside its rows: complete when they have ended
   * @throws AppError `too_many_emails`, `invalid_input`, `credits_insufficient`, `daily_capacity_exhausted`, and what `rows` throws
   */
  async take(
    principal: Principal,
    rows: AsyncIterable<RowPiece>,
    settings: IntakeSettings,
    claim: Claim | null = null,
    kind: BatchKind = 'verify',
  ): Promise<TakenBatch> {
    const upload = new BatchUpload(
      this.newBatch(principal, kind),
      new Packer(this.operators),
      this.batches,
      this.blocks,
    );
    const { batch, packer } = upload;
    const finish = (tx: EntityManager) => this.finish(tx, principal, upload, settings);
    try {
      for await (const piece of rows) {
        this.check(principal, packer.totalRows, piece, kind);
        await upload.add(this.database.manager, piece);
      }
      checkName(settings.name);
      settings.webhookUrl = await this.webhooks.check(principal, settings.webhookUrl);
      if (packer.totalRows === 0) throw invalid('emails', 'must not be empty');
      const webhook = await (claim === null ? this.database.transaction(finish) : claim.transaction(finish));
      return { id: batch.id, totalRows: packer.totalRows, uniqueAddresses: packer.uniqueAddresses, webhook };
    } catch (error) {
      await upload
        .forget(this.database.manager)
        .catch((fault: Error) => this.logger.warn(`an upload is left to the sweep: ${fault.message}`));
      throw error;
    }
  }

  private check(principal: Principal, taken: number, rows: RowPiece, kind: BatchKind): void {
    const most = kind === 'find' ? MOST_PEOPLE : principal.policy.batchSize;
    if (taken + rows.length > most)
      throw new AppError('too_many_emails', {
        message: `A batch holds at most ${most} ${kind === 'find' ? 'people' : 'emails'}.`,
        body: { limit: most },
      });
    if (!principal.simulated) return;
    if (kind === 'find') return this.checkSearches(principal, rows);
    const emails = Array.from(rows, ({ email }) => email);
    this.worlds.checkRefusals(principal, emails);
  }

  private checkSearches(principal: Principal, rows: RowPiece): void {
    for (const { email } of rows) {
      const person = readPersonRow(email);
      if (person !== null) this.worlds.checkSearchRefusal(principal, person);
    }
  }

  private async finish(
    tx: EntityManager,
    principal: Principal,
    upload: BatchUpload,
    settings: IntakeSettings,
  ): Promise<BatchEndpoint | null> {
    const { batch, packer } = upload;
    await upload.writeRest(tx);
    const reservation = await this.settlement.reserve(tx, principal, packer.uniqueAddresses, batch.kind);
    const isPaid = reservation.source !== 'unpaid';
    const isQueued = await this.batches.receive(tx, batch.id, {
      name: settings.name,
      webhookUrl: settings.webhookUrl,
      columns: settings.columns,
      totalRows: packer.totalRows,
      uniqueAddresses: packer.uniqueAddresses,
      chunks: packer.chunkCount,
      reservationId: isPaid ? reservation.id : null,
      creditSource: reservation.source,
      creditsReserved: isPaid ? reservation.amountCredits : 0,
    });
    if (!isQueued) throw new Error('the upload took so long that the sweep has deleted it');
    return this.webhooks.ensure(tx, principal, settings.webhookUrl);
  }

  private newBatch(principal: Principal, kind: BatchKind): NewBatch {
    return {
      id: randomInt(LEAST_ID, MOST_ID),
      accountId: getAccountId(principal),
      keyId: principal.keyId,
      policy: principal.policy.name,
      simulated: principal.simulated,
      kind,
      retentionDays: principal.policy.retentionDays,
      createdAt: new Date(this.clock.now()),
    };
  }
}

function checkName(name: string | null): void {
  if (name === null) return;
  if (name.trim() === '' || name.length > MOST_NAME) throw invalid('name', `must have 1 to ${MOST_NAME} characters`);
  if (!isStorable(name)) throw invalid('name', NOT_STORABLE);
}
