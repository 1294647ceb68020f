import { Inject, Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { BatchReuse } from '../batch/reuse/batch-reuse.service.js';
import { CreditsService, OURSELVES, type SourceName } from '../credits/credits.service.js';
import { addToOutbox } from '../events/outbox.js';
import { addToAuditLog } from '../platform/audit/audit-log.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { counted } from '../platform/counted.js';
import { ReuseService } from '../reuse/reuse.service.js';
import type { ToldDenial } from '../resolver/told-denials.js';

/** Request ids that the event names. */
const MAX_REQUEST_IDS = 1_000;
const REASON = 'verdicts that rested on a lie of the DNS resolver';

export interface Corrected {
  /** Endpoints are to be told. */
  readonly isTold: boolean;
  /** What is not taken back, because of the fault. */
  readonly failed: readonly ToldDenial[];
  readonly fault: Error | null;
}

/**
 * Takes back verdicts that a lie of the DNS resolver made `invalid`: their credits are given back, reuse forgets them, the audit log has a
 * line, and the account gets an event. Everything of one account is one transaction.
 */
@Injectable()
export class Corrections {
  private readonly logger = new Logger(Corrections.name);

  constructor(
    private readonly database: DataSource,
    private readonly credits: CreditsService,
    private readonly reuse: ReuseService,
    private readonly batches: BatchReuse,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** A fault with one account leaves the others alone. */
  async correct(lies: readonly ToldDenial[]): Promise<Corrected> {
    const failed: ToldDenial[] = [];
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
  private async correctOf(accountId: string, lies: readonly ToldDenial[]): Promise<boolean> {
    const at = new Date(this.clock.now());
    const owner = { accountId, simulated: false };
    const inBatches = groupBy(
      lies.filter(({ batchId }) => batchId !== null),
      ({ batchId }) => batchId!,
    );
    const times = lies.map((lie) => lie.at);
    const told = {
      from: new Date(Math.min(...times)).toISOString(),
      to: new Date(Math.max(...times)).toISOString(),
      verdicts: lies.length,
      credits_refunded: creditsOf(lies),
      batches: [...inBatches].map(([id, some]) => ({ batch_id: id, verdicts: some.length })),
    };
    const requestIds = lies.flatMap(({ requestId }) => requestId ?? []);
    const data = { ...told, request_ids: requestIds.slice(0, MAX_REQUEST_IDS) };
    const addresses = lies.map(({ address }) => address);
    const deliveries = await this.database.transaction(async (tx) => {
      const payerId = await payerOf(tx, accountId);
      if (payerId === null) return [];
      await this.batches.leaveOut(tx, [...inBatches.keys()]);
      await this.reuse.forget(tx, owner, addresses);
      await this.refund(tx, payerId, lies);
      const who = { actorId: null, actor: OURSELVES, origin: OURSELVES, keyId: null };
      await addToAuditLog(tx, { at, ...who, ...owner, action: 'verification.correct', details: told });
      return addToOutbox(tx, { ...owner, type: 'verification.corrected', at, data, batchId: null, url: null });
    });
    this.logger.warn(
      `${counted(lies.length, 'verdict')} of account ${accountId} rested on a lie of the DNS resolver: taken back, with ${counted(told.credits_refunded, 'credit')}`,
    );
    return deliveries.length > 0;
  }

  /** Balances are locked before the day's free credits, as everywhere. */
  private async refund(tx: EntityManager, payerId: string, lies: readonly ToldDenial[]): Promise<void> {
    const bySource = groupBy(lies, ({ source }) => source);
    for (const source of ['balance', 'split', 'daily'] satisfies SourceName[]) {
      const some = bySource.get(source) ?? [];
      const credits = creditsOf(some);
      if (credits === 0) continue;
      const { accountId, at } = some[0]!;
      await this.credits.refund(tx, { accountId, payerId, source, credits, at: new Date(at) }, REASON);
    }
  }
}

function creditsOf(lies: readonly ToldDenial[]): number {
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
function groupBy<K>(lies: readonly ToldDenial[], keyOf: (lie: ToldDenial) => K): Map<K, ToldDenial[]> {
  const groups = new Map<K, ToldDenial[]>();
  for (const lie of lies) {
    const group = groups.get(keyOf(lie)) ?? [];
    groups.set(keyOf(lie), group);
    group.push(lie);
  }
  return groups;
}
