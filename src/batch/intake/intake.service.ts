import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DAY_MS } from '../../lib/durations.js';
import { checkMaxCredits } from '../../credits/max-credits.js';
import { type IdempotencyClaim, runInTransaction } from '../../idempotency/idempotency-claim.js';
import type { Owner } from '../../keys/access/owner.js';
import type { Principal } from '../../keys/access/principal.js';
import { checkHolds } from '../../keys/scope/key-scope.js';
import { AppError, invalidField } from '../../platform/errors/app-error.js';
import { isStorable, NOT_STORABLE } from '../../platform/http/fields.js';
import { writeStep } from '../../platform/logging/trace.js';
import { EngineSelector } from '../../verify/engine-selector.js';
import { EndpointUrls } from '../../webhooks/url-rules.js';
import { type BatchEndpoint, EndpointsService } from '../../webhooks/endpoints.service.js';
import type { IntakeSettings, RowPiece, SentRows } from '../formats/sent-body.js';
import type { BatchKind } from '../model/batch-kind.js';
import type { ReceivedBatch, NewBatch } from '../model/batch-row.js';
import {
  BatchSettlementService,
  NOTHING_RESERVED,
  type Reserved,
  reservedBy,
  type BatchOrder,
} from '../model/batch-settlement.service.js';
import { type Batch, type BatchState, transition } from '../model/batch.js';
import { BatchStore } from '../model/batch.store.js';
import { nextSlice } from './upload-places.js';
import { type Upload, UploadsService } from './uploads.service.js';
import { setTimeout as delay } from 'node:timers/promises';
import { MicroBatcher } from '../../lib/micro-batcher.js';
import { isOutage } from '../../platform/errors/outage.js';
import { IntakeStore, type WholeUpload } from './intake.store.js';

/** Batches that are taken in by one transaction, which locks their balances. */
const MAX_TOGETHER = 32;
/** The pause in which batches that come often gather; one that comes alone never waits for it. */
const GATHER_MS = 25;

/** A balance that is locked for longer keeps no other account waiting. */
const MAX_WAIT_MS = 1_000;

/** Why a batch was not taken in; null: it was. */
type Refusal = AppError | null;

/** A small batch, read to its end, that is neither held nor given verdicts again, and names no URL. */
interface SmallIntake {
  readonly payer: Principal;
  readonly work: BatchOrder;
  readonly batch: NewBatch;
  readonly whole: WholeUpload;
  /** The rest of its row, without its credits. */
  readonly received: ReceivedBatch;
}

/** Takes small batches in, many by one transaction: one statement reserves their credits, and one stores them all. */
class SmallIntakes {
  private readonly together = new MicroBatcher<SmallIntake, Refusal>((some) => this.takeAll(some), MAX_TOGETHER, {
    gather: () => delay(GATHER_MS),
  });

  private readonly blocks = new IntakeStore();

  constructor(
    private readonly database: DataSource,
    private readonly settlement: BatchSettlementService,
  ) {}

  /** @throws AppError `credits_insufficient`; then nothing is stored */
  async take(small: SmallIntake): Promise<void> {
    const refusal = await this.together.add(small);
    if (refusal !== null) throw refusal;
  }

  private async takeAll(some: readonly SmallIntake[]): Promise<(Refusal | Promise<Refusal>)[]> {
    try {
      return await this.store(some, MAX_WAIT_MS);
    } catch (error) {
      if (isOutage(error)) throw error;
      // One of them is at fault, or its balance is locked for long: the others neither fail nor wait with it, nor do those that come next.
      return some.map(async (one) => (await this.store([one]))[0]!);
    }
  }

  /** @param maxWaitMs for a locked balance; left out: as long as any statement */
  private store(some: readonly SmallIntake[], maxWaitMs?: number): Promise<Refusal[]> {
    return this.database.transaction(async (tx) => {
      if (maxWaitMs !== undefined) await tx.query(`SET LOCAL lock_timeout = ${maxWaitMs}`);
      const reservations = await this.settlement.reserveShared(tx, some);
      const admitted = some.flatMap(({ batch, whole, received }, i) => {
        const reservation = reservations[i]!;
        if (reservation instanceof AppError) return [];
        return [{ ...whole, batch, received: { ...received, ...reservedBy(reservation) }, kept: null }];
      });
      if (admitted.length > 0) await this.blocks.addWholes(tx, admitted);
      return reservations.map((reservation) => (reservation instanceof AppError ? reservation : null));
    });
  }
}

/** The `webhook_url` of a batch: an endpoint of the account that gets the events of this batch beside those that it subscribes to. */
@Injectable()
export class BatchWebhookService {
  constructor(
    private readonly urls: EndpointUrls,
    private readonly endpoints: EndpointsService,
  ) {}

  /** @returns the URL in its stored form. @throws AppError `full_account_required` for agents, `permission_missing`, `invalid_input` */
  async check(principal: Principal, url: string | null): Promise<string | null> {
    if (url === null) return null;
    if (!principal.policy.webhooks) throw new AppError('full_account_required', { message: FOR_FULL_ACCOUNTS });
    checkHolds(principal.scope, ['webhooks', 'results'], SENDS_RESULTS);
    return this.urls.check(url, 'webhook_url');
  }

  async ensure(tx: EntityManager, principal: Principal, url: string | null): Promise<BatchEndpoint | null> {
    return url === null ? null : this.endpoints.ensureForBatch(tx, principal, url);
  }
}

const SENDS_RESULTS = 'which webhook_url needs, since Mailsonde sends the results of the batch there';
const FOR_FULL_ACCOUNTS = 'webhook_url needs a full account; an agent asks for the status of its batch.';

const MAX_NAME = 200;
/** Items of a test key that are looked at in one slice, a few milliseconds. */
const ITEMS_OF_A_SLICE = 200;

/** What an account may hold in each mode: held lists cost nothing, so only this bounds the disk that they fill. */
const MAX_HELD_BATCHES = 10;
const MAX_HELD_ROWS = 1_000_000;
const HELD_MS = DAY_MS;

/** What is known of a batch when it is `held` or `queued`. */
export interface TakenBatch extends Pick<
  Batch,
  'id' | 'policy' | 'state' | 'totalRows' | 'uniqueAddresses' | 'malformed' | 'reused'
> {
  /** The endpoint of the batch's own URL; null when it has none. */
  readonly webhook: BatchEndpoint | null;
}

/**
 * Makes a batch of an upload: streams its rows into the tables while they come, then queues it and reserves its credits in one
 * transaction.
 */
@Injectable()
export class IntakeService {
  private readonly logger = new Logger(IntakeService.name);
  private readonly small: SmallIntakes;

  constructor(
    private readonly database: DataSource,
    private readonly uploads: UploadsService,
    private readonly batches: BatchStore,
    private readonly settlement: BatchSettlementService,
    private readonly webhooks: BatchWebhookService,
    private readonly engines: EngineSelector,
  ) {
    this.small = new SmallIntakes(database, settlement);
  }

  /**
   * @param rows all are read before any caller sees the batch; when reading fails, nothing of them remains
   * @param settings the reader of the rows fills them in: complete when the rows have ended
   * @throws AppError `too_many_emails`, `invalid_input`, `ceiling_reached`, `credits_insufficient`, `daily_capacity_exhausted`, and what `rows` throws
   */
  async take(
    principal: Principal,
    kind: BatchKind,
    rows: SentRows,
    settings: IntakeSettings,
    claim: IdempotencyClaim | null = null,
  ): Promise<TakenBatch> {
    const upload = await this.uploads.begin(principal, kind, rows.gone);
    const { batch, packer } = upload;
    try {
      for await (const piece of rows) {
        await this.check(principal, packer.totalRows, piece, kind);
        await upload.add(this.database.manager, piece);
      }
      checkName(settings.name);
      settings.webhookUrl = await this.webhooks.check(principal, settings.webhookUrl);
      if (packer.totalRows === 0) throw invalidField(kind.items, 'must not be empty');
      await upload.close();
      const whole = { ...settings, ...(await this.uploads.resolve(principal, settings)) };
      await upload.prepareReuse(settings.reuseDays);
      const webhook =
        claim === null && (await this.takeSmall(principal, upload, whole))
          ? null
          : await upload.place.write(() =>
              runInTransaction(this.database, claim, (tx) => this.finish(tx, principal, upload, whole)),
            );
      const { totalRows, uniqueAddresses, malformed } = packer;
      const counted = { totalRows, uniqueAddresses, malformed, reused: upload.reused };
      writeStep(`batch taken in: ${totalRows} rows, ${packer.chunkCount} chunks`, {
        trace_id: batch.traceId,
        request_id: principal.trace?.requestId,
        batch_id: batch.id,
      });
      return { id: batch.id, policy: batch.policy, state: endOfUpload(settings), ...counted, webhook };
    } catch (error) {
      await upload
        .forget(this.database.manager)
        .catch((fault: Error) => this.logger.warn(`an upload is left to the sweep: ${fault.message}`));
      throw error;
    } finally {
      upload.place.leave();
    }
  }

  private async check(principal: Principal, taken: number, rows: RowPiece, kind: BatchKind): Promise<void> {
    const limit = kind.maxRows(principal.policy);
    if (taken + rows.length > limit)
      throw new AppError('too_many_emails', {
        message: `A batch holds at most ${limit} ${kind.items}: send the rest in further ones.`,
        body: { limit },
      });
    if (!principal.simulated) return;
    const items = Array.from(rows, ({ item }) => item);
    for (let at = 0; at < items.length; at += ITEMS_OF_A_SLICE) {
      if (at > 0) await nextSlice(principal);
      kind.checkRefusals(this.engines, principal, items.slice(at, at + ITEMS_OF_A_SLICE));
    }
  }

  /** Takes a small batch in together with others. @returns false when it needs a transaction of its own, and nothing is stored */
  private async takeSmall(principal: Principal, upload: Upload, settings: WholeSettings): Promise<boolean> {
    if (settings.isHeld || settings.reuseDays > 0 || settings.webhookUrl !== null) return false;
    const work = workOf(upload, settings);
    if (!this.settlement.isShared(principal, work)) return false;
    const whole = upload.takeWhole();
    if (whole === null) return false;
    // The others of the account are read meanwhile: what is left of this one is as good as nothing.
    upload.place.leave();
    await this.small.take({
      payer: principal,
      work,
      batch: upload.batch,
      whole,
      received: receivedOf(upload, settings),
    });
    return true;
  }

  private async finish(
    tx: EntityManager,
    principal: Principal,
    upload: Upload,
    settings: WholeSettings,
  ): Promise<BatchEndpoint | null> {
    const { batch, packer } = upload;
    const whole = upload.takeWhole();
    if (whole === null) await upload.writeRest(tx);
    const kept = await upload.reuse(tx, whole, settings.reuseDays);
    const { isHeld } = settings;
    const work = workOf(upload, settings);
    const reserved = isHeld
      ? await this.hold(tx, batch, packer.totalRows, work)
      : reservedBy(await this.settlement.reserve(tx, principal, work));
    await upload.receive(tx, { ...receivedOf(upload, settings), ...reserved }, whole, kept);
    return this.webhooks.ensure(tx, principal, settings.webhookUrl);
  }

  /**
   * Makes sure that the owner may hold one more batch of so many rows, which costs no more than its sender allows.
   * @throws AppError `too_many_held`, `ceiling_reached`
   */
  private async hold(tx: EntityManager, owner: Owner, rows: number, work: BatchOrder): Promise<Reserved> {
    checkMaxCredits(this.settlement.costOf(work), work.maxCredits);
    const held = await this.batches.countHeld(tx, owner);
    if (held.batches >= MAX_HELD_BATCHES || held.rows + rows > MAX_HELD_ROWS) throw new AppError('too_many_held');
    return NOTHING_RESERVED;
  }
}

type WholeSettings = IntakeSettings & { readonly retentionDays: number };

function workOf({ batch, packer, reused }: Upload, { maxCredits }: IntakeSettings): BatchOrder {
  const { id, kind, policy } = batch;
  const { uniqueAddresses, malformed } = packer;
  return { id, kind, policy, items: uniqueAddresses - reused, malformed, maxCredits };
}

/** What the end of the upload fills in, before credits are reserved. */
function receivedOf({ batch, packer, reused }: Upload, settings: WholeSettings): ReceivedBatch {
  const { isHeld, name, webhookUrl, columns, retentionDays, retryWindowSeconds } = settings;
  return {
    state: endOfUpload(settings),
    name,
    webhookUrl,
    columns,
    retentionDays,
    retryWindowSeconds,
    totalRows: packer.totalRows,
    uniqueAddresses: packer.uniqueAddresses,
    malformed: packer.malformed,
    openChunks: packer.chunkCount,
    ...NOTHING_RESERVED,
    reused,
    expiresAt: isHeld ? new Date(batch.createdAt.getTime() + HELD_MS) : null,
  };
}

function endOfUpload({ isHeld }: IntakeSettings): BatchState {
  return transition('receiving', isHeld ? 'hold' : 'receive')!;
}

function checkName(name: string | null): void {
  if (name === null) return;
  if (name.trim() === '' || name.length > MAX_NAME) throw invalidField('name', `must have 1 to ${MAX_NAME} characters`);
  if (!isStorable(name)) throw invalidField('name', NOT_STORABLE);
}
