import { Inject, Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { CreditsService, OURSELVES } from '../credits/credits.service.js';
import { addToOutbox } from '../events/outbox.js';
import { addToAuditLog } from '../platform/audit/audit-log.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { counted } from '../platform/counted.js';
import { ReuseService } from '../reuse/reuse.service.js';
import type { ReportedDenial } from '../resolver/reported-denials.js';
import { ReopenedItemsService } from '../batch/worker/reopened-items.service.js';
import { BatchReuseService } from '../batch/upkeep/batch-reuse.service.js';

/** Request ids that the event names. */
const MAX_REQUEST_IDS = 1_000;
const REASON = 'verdicts that relied on false answers of the DNS resolver';

export interface Corrected {
  /** Endpoints are to be told. */
  readonly isTold: boolean;
  /** What is not taken back, because of the fault. */
  readonly failed: readonly ReportedDenial[];
  readonly fault: Error | null;
}

/** As event and audit log say it. */
interface CorrectedBatch {
  readonly batch_id: number;
  readonly verdicts: number;
  /** Workers replace so many of the verdicts before the batch ends. */
  readonly asked_again: number;
}

/**
 * Takes back verdicts that a lie of the DNS resolver made `invalid`: batches that run lose them and ask again, their credits are given back,
 * reuse forgets them, the audit log has a line, and the account gets an event. Everything of one account is one transaction.
 */
@Injectable()
export class Corrections {
  private readonly logger = new Logger(Corrections.name);

  constructor(
    private readonly database: DataSource,
    private readonly credits: CreditsService,
    private readonly reuse: ReuseService,
    private readonly batches: BatchReuseService,
    private readonly items: ReopenedItemsService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** A fault with one account leaves the others alone. */
  async correct(lies: readonly ReportedDenial[]): Promise<Corrected> {
    const failed: ReportedDenial[] = [];
    let isTold = false;
    let fault: Error | null = null;
    for (const [accountId, some] of groupBy(lies, (lie) => lie.accountId))
      try {
        if (await this.correctOf(accountId, some)) isTold = true;
      } catch (error) {
        failed.push(...some);
        fault = error as Error;
      }
    return { isTold, failed, fault };
  }

  /** @returns whether endpoints are to be told */
  private async correctOf(accountId: string, lies: readonly ReportedDenial[]): Promise<boolean> {
    const at = new Date(this.clock.now());
    const owner = { accountId, simulated: false };
    const { corrected, deliveries } = await this.database.transaction(async (tx) => {
      const nothing = { corrected: [], deliveries: [] };
      const payerId = await payerOf(tx, accountId);
      if (payerId === null) return nothing;
      const { corrected, batches } = await this.takeOutOfBatches(tx, lies, at);
      if (corrected.length === 0) return nothing;
      // The false verdicts of the others stay in their results.
      const isEnded = ({ asked_again: askedAgain }: CorrectedBatch): boolean => askedAgain === 0;
      await this.batches.leaveOut(
        tx,
        batches.filter(isEnded).map(({ batch_id: id }) => id),
      );
      await this.reuse.forget(
        tx,
        owner,
        corrected.map(({ address }) => address),
      );
      await this.refund(tx, payerId, corrected);
      const times = corrected.map((lie) => lie.at);
      const told = {
        from: new Date(Math.min(...times)).toISOString(),
        to: new Date(Math.max(...times)).toISOString(),
        verdicts: corrected.length,
        credits_refunded: creditsOf(corrected),
        batches,
      };
      const who = { actorId: null, actor: OURSELVES, origin: OURSELVES, keyId: null };
      await addToAuditLog(tx, { at, ...who, ...owner, action: 'verification.correct', details: told });
      const requestIds = corrected.flatMap(({ requestId }) => requestId ?? []);
      const data = { ...told, request_ids: requestIds.slice(0, MAX_REQUEST_IDS) };
      const event = { ...owner, type: 'verification.corrected', at, data, batchId: null, url: null } as const;
      return { corrected, deliveries: await addToOutbox(tx, event) };
    });
    if (corrected.length > 0)
      this.logger.warn(
        `${counted(corrected.length, 'verdict')} of account ${accountId} relied on false answers of the DNS resolver: withdrawn, ${counted(creditsOf(corrected), 'credit')} refunded`,
      );
    return deliveries.length > 0;
  }

  /** @returns without those of batches that had been taken back before */
  private async takeOutOfBatches(tx: EntityManager, lies: readonly ReportedDenial[], at: Date) {
    const corrected = lies.filter(({ row }) => row === null);
    const batches: CorrectedBatch[] = [];
    const inBatches = groupBy(lies.filter(isOfBatch), ({ row }) => row.batchId);
    for (const [id, some] of [...inBatches].sort(([a], [b]) => a - b)) {
      const { answers, askedAgain } = await this.items.takeBack(tx, id, some, at.getTime());
      corrected.push(...answers);
      if (answers.length > 0) batches.push({ batch_id: id, verdicts: answers.length, asked_again: askedAgain });
    }
    return { corrected, batches };
  }

  /** Balances are locked before free credits, as everywhere, and the days of those in their order. */
  private async refund(tx: EntityManager, payerId: string, lies: readonly ReportedDenial[]): Promise<void> {
    const byDay = groupBy(lies, ({ utcDate }) => utcDate);
    const days = [...byDay.keys()].filter((day) => day !== null).sort();
    for (const utcDate of [null, ...days]) {
      const some = byDay.get(utcDate) ?? [];
      const credits = creditsOf(some);
      if (credits === 0) continue;
      const { accountId } = some[0]!;
      await this.credits.refund(tx, { accountId, payerId, credits, utcDate }, REASON);
    }
  }
}

function isOfBatch(lie: ReportedDenial): lie is ReportedDenial & { readonly row: NonNullable<ReportedDenial['row']> } {
  return lie.row !== null;
}

function creditsOf(lies: readonly ReportedDenial[]): number {
  return lies.reduce((sum, { credits }) => sum + credits, 0);
}

/** Null when the account is gone. */
async function payerOf(tx: EntityManager, accountId: string): Promise<string | null> {
  const [row]: { payer: string }[] = await tx.query(
    'SELECT coalesce(claimed_by, id) AS payer FROM accounts WHERE id = $1 FOR KEY SHARE',
    [accountId],
  );
  return row?.payer ?? null;
}

/** `Map.groupBy`, which Node 20 lacks. */
function groupBy<Lie extends ReportedDenial, K>(lies: readonly Lie[], keyOf: (lie: Lie) => K): Map<K, Lie[]> {
  const groups = new Map<K, Lie[]>();
  for (const lie of lies) {
    const group = groups.get(keyOf(lie)) ?? [];
    groups.set(keyOf(lie), group);
    group.push(lie);
  }
  return groups;
}
