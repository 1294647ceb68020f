import { Injectable, Inject } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { BatchAgainService, BatchVersionsService } from '../batch/upkeep/batch-again.service.js';
import type { Batch } from '../batch/model/batch.js';
import { addToOutbox } from '../events/outbox.js';
import type { Payer } from '../keys/access/principal.js';
import { AccountsService } from '../keys/accounts/accounts.service.js';
import { BillingAccounts } from '../keys/access/billing-accounts.js';
import { AppError } from '../platform/errors/app-error.js';
import { ListChangesService } from './list-changes.service.js';
import { type ListSchedule, nextRunOf } from './list-schedule.js';
import { SchedulesStore } from './schedules.store.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../platform/clock.js';
import { PeriodicJob } from '../platform/periodic-job.js';
import { WorkNotifier } from '../platform/queue/work-notifier.js';
import { WEBHOOK_QUEUE } from '../webhooks/webhook-queue.js';

/** What a key needs to set a schedule, then and at each run: its runs are batches, which cost credits. */
export const SCHEDULING_NEEDS = ['lists', 'batches'] as const;

/** Who pays for the runs of a schedule, and on which terms. */
@Injectable()
export class RunTermsService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly billing: BillingAccounts,
  ) {}

  /**
   * The account, by its plan of now, within the ceiling of the key that set the schedule, or of the newest in its place.
   * @throws AppError `account_suspended`; `key_unknown`, `key_revoked`, `key_expired`, `permission_missing` when that key may no more
   */
  async payerOf(tx: EntityManager, { accountId, simulated, keyId }: ListSchedule, at: Date): Promise<Payer> {
    const { policy, suspendedAt } = await this.accounts.get(tx, accountId);
    if (suspendedAt !== null) throw new AppError('account_suspended');
    return this.billing.ordererOf(tx, { accountId, simulated, keyId, policy }, { needs: SCHEDULING_NEEDS, at });
  }
}

/**
 * Begins and ends the runs of schedules.
 *
 * A schedule waits for its time, or runs: `runningBatchId` says which. Both changes are one transaction each, with the row of the list and
 * then that of the schedule locked: the one that begins queues the batch, reserves its credits and sets the next time; the one that ends
 * stores what has changed, writes the event and says what is kept. So a process that is killed leaves either none or all of it, and
 * two processes do nothing twice.
 *
 * At a failure: what the account lacks (credits, more of them than a run may cost, or a key that works and may have it) skips the run
 * until the next time, and `lastRun…` says so; a server that is away, or a fault of ours, leaves everything as it was, and the scheduler puts
 * the run off.
 */
@Injectable()
export class ListRunsService {
  constructor(
    private readonly database: DataSource,
    private readonly schedules: SchedulesStore,
    private readonly again: BatchAgainService,
    private readonly versions: BatchVersionsService,
    private readonly found: ListChangesService,
    private readonly terms: RunTermsService,
  ) {}

  /** Begins the run of a list if its time has come. @returns the batch that was queued */
  async begin(listId: number, at: Date): Promise<Batch | null> {
    const source = (await this.versions.current(listId)) ?? (await this.versions.find(listId));
    const seen = await this.schedules.find(listId);
    if (source === null || seen === null) return null;
    await this.again.prepare({ source, reuseDays: seen.reuseDays });
    try {
      const batch = await this.database.transaction((tx) => this.queue(tx, listId, source, at));
      if (batch !== null) await this.again.wakeWorkers(batch);
      return batch;
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
      await this.skip(listId, error.code, at);
      return null;
    }
  }

  /** Ends the run of a list whose batch has ended. @returns whether endpoints are to be told */
  end(listId: number, at: Date): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const list = await this.versions.lockAny(tx, listId);
      const schedule = list && (await this.schedules.lock(tx, listId));
      if (schedule === null || schedule.runningBatchId === null) return false;
      const batch = await this.versions.find(schedule.runningBatchId);
      if (batch !== null && batch.finishedAt === null) return false;
      const ended = { runningBatchId: null, runningSourceId: null };
      if (batch?.state !== 'completed') {
        const lastRunReason = batch === null ? 'batch_not_found' : `batch_${batch.state}`;
        await this.schedules.change(tx, listId, { ...ended, lastRunStatus: 'failed', lastRunReason });
        return false;
      }
      // The version that it was begun from may have been deleted meanwhile: then the list itself is what it is compared with.
      const source = (await this.versions.find(schedule.runningSourceId!)) ?? list!;
      const changed = await this.found.add(tx, batch.id, this.again.changes(tx, source.id, batch.id));
      await this.schedules.change(tx, listId, { ...ended, lastRunStatus: 'completed', lastRunChanged: changed });
      if (source.id !== listId) await this.versions.release(tx, source.id, at);
      if (schedule.enabled) await this.versions.keep(tx, listId, null);
      return changed > 0 && this.tell(tx, list!, batch, source.id, changed, at);
    });
  }

  private async queue(tx: EntityManager, listId: number, source: Batch, at: Date): Promise<Batch | null> {
    await this.again.holdErasures(tx, source);
    const list = await this.versions.lockAny(tx, listId);
    const schedule = list && (await this.schedules.lock(tx, listId));
    if (!isDue(schedule, at)) return null;
    const payer = await this.terms.payerOf(tx, schedule, at);
    const { verdicts, reuseDays, maxCredits } = schedule;
    const batch = await this.again.begin(tx, {
      source,
      listId,
      name: list!.name,
      payer,
      verdicts: verdicts && new Set(verdicts),
      reuseDays,
      maxCredits,
      at,
    });
    await this.schedules.change(tx, listId, {
      nextRunAt: nextRunOf(schedule, at),
      runningBatchId: batch.id,
      runningSourceId: source.id,
      lastRunAt: at,
      lastRunStatus: 'running',
      lastRunReason: null,
      lastRunBatchId: batch.id,
      lastRunChanged: null,
    });
    return batch;
  }

  private async skip(listId: number, reason: string, at: Date): Promise<void> {
    await this.database.transaction(async (tx) => {
      const list = await this.versions.lockAny(tx, listId);
      const schedule = list && (await this.schedules.lock(tx, listId));
      if (!isDue(schedule, at)) return;
      await this.schedules.change(tx, listId, {
        nextRunAt: nextRunOf(schedule, at),
        lastRunAt: at,
        lastRunStatus: 'skipped',
        lastRunReason: reason,
        lastRunBatchId: null,
        lastRunChanged: null,
      });
    });
  }

  /** @param changed how many @returns whether endpoints are to be told */
  private async tell(tx: EntityManager, list: Batch, batch: Batch, previousId: number, changed: number, at: Date) {
    const { accountId, simulated } = batch;
    const data = {
      list_id: list.id,
      name: list.name ?? `batch ${list.id}`,
      batch_id: batch.id,
      previous_batch_id: previousId,
      verified_at: batch.finishedAt!.toISOString(),
      total_emails: batch.totalRows,
      counts: batch.counts,
      changed,
    };
    const happened = { accountId, simulated, type: 'list.changed', at, data, batchId: batch.id, url: null } as const;
    return (await addToOutbox(tx, happened)).length > 0;
  }
}

function isDue(schedule: ListSchedule | null, at: Date): schedule is ListSchedule {
  return schedule !== null && schedule.enabled && schedule.runningBatchId === null && schedule.nextRunAt <= at;
}

const EVERY_MS = 10_000;
/** Lists looked at together; a process that has begun these looks again at once. */
const LIST_PAGE_SIZE = 20;
/** A run that could not begin is tried again so much later, so that lists that never can do not take every look for themselves. */
const PUT_OFF_MS = 600_000;

/** Ends runs whose batch has ended, and begins those whose time has come. */
@Injectable()
export class ListScheduler extends PeriodicJob {
  constructor(
    private readonly schedules: SchedulesStore,
    private readonly runs: ListRunsService,
    private readonly notifier: WorkNotifier,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    super('scheduled lists were not looked at', { everyMs: EVERY_MS, firstAfterMs: EVERY_MS, timer });
  }

  /** Does all that is to be done now. */
  async run(): Promise<void> {
    const at = this.clock.date();
    let isTold = false;
    await this.each(
      (tried) => this.schedules.ended(tried, LIST_PAGE_SIZE),
      async (id) => {
        isTold = (await this.runs.end(id, at)) || isTold;
      },
    );
    if (isTold) await this.notifier.notify(WEBHOOK_QUEUE);
    await this.each(
      (tried) => this.schedules.due(at, tried, LIST_PAGE_SIZE),
      (id) => this.begin(id, at),
    );
  }

  private async begin(id: number, at: Date): Promise<void> {
    try {
      await this.runs.begin(id, at);
    } catch (error) {
      await this.schedules.putOff(id, at, new Date(at.getTime() + PUT_OFF_MS));
      throw error;
    }
  }

  /** One list that cannot be worked on holds up none behind it: each is tried once in a run. */
  private async each(
    find: (tried: readonly number[]) => Promise<number[]>,
    work: (id: number) => Promise<unknown>,
  ): Promise<void> {
    const tried: number[] = [];
    for (;;) {
      const ids = await find(tried);
      if (ids.length === 0) return;
      for (const id of ids) {
        tried.push(id);
        await work(id).catch((error: Error) =>
          this.logger.warn(`list ${id} was left to a later look: ${error.message}`),
        );
      }
    }
  }
}
