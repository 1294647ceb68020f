import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ADDRESSES } from '../batch/model/batch-kind.js';
import { BatchVersionsService } from '../batch/upkeep/batch-again.service.js';
import { isOwn, ownerOf } from '../keys/access/owner.js';
import type { Principal } from '../keys/access/principal.js';
import { OrdersService } from '../keys/orders.service.js';
import { recordAccountAction } from '../keys/account-actions.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { AppError, invalidField } from '../platform/errors/app-error.js';
import { firstRunOf, type ListSchedule, MAX_SCHEDULES, type NamedSchedule } from './list-schedule.js';
import { SchedulesStore } from './schedules.store.js';

/** What a caller wants of a list. */
interface ScheduleInput extends Pick<ListSchedule, 'verdicts' | 'reuseDays' | 'maxCredits' | 'enabled'> {
  /** Null: the caller has not said it. */
  readonly everyDays: number | null;
}

/** Makes, shows and ends the schedules of lists. */
@Injectable()
export class SchedulesService {
  constructor(
    private readonly database: DataSource,
    private readonly store: SchedulesStore,
    private readonly versions: BatchVersionsService,
    private readonly orders: OrdersService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** @throws AppError `list_not_found`, `schedule_not_found` */
  async get(principal: Principal, listId: number): Promise<ListSchedule> {
    const schedule = await this.store.find(listId);
    if (schedule === null || !isOwn(ownerOf(principal), schedule)) throw new AppError('schedule_not_found');
    return schedule;
  }

  /** Whether a run of the list still has to be compared with what was before it. */
  async isComparing(listId: number, batchId: number): Promise<boolean> {
    return (await this.store.find(listId))?.runningBatchId === batchId;
  }

  /** All of the account in the mode of the key, the next one to run first; those that are not enabled last. */
  list(principal: Principal): Promise<NamedSchedule[]> {
    return this.store.list(ownerOf(principal), MAX_SCHEDULES);
  }

  /**
   * Sets the schedule of a list; the next run is a whole turn away, unless the turn stays as it was. While it is enabled, nothing that it
   * needs expires.
   * @throws AppError `list_not_found`, `invalid_input`, `too_many_schedules` and what `OrdersService.checkMayReplace` throws
   */
  async set(principal: Principal, listId: number, wanted: ScheduleInput): Promise<ListSchedule> {
    const owner = ownerOf(principal);
    const now = this.clock.now();
    return this.database.transaction(async (tx) => {
      const list = await this.versions.lockList(tx, owner, listId, ADDRESSES);
      if (list === null || !isOwn(owner, list)) throw new AppError('list_not_found');
      const { everyDays } = wanted;
      if (everyDays === null) throw invalidField('every_days', 'must be a whole number of days');
      const before = await this.store.lock(tx, listId);
      if (before !== null) await this.orders.checkMayReplace(tx, principal, before.keyId);
      if (before === null && (await this.store.count(tx, owner)) >= MAX_SCHEDULES)
        throw new AppError('too_many_schedules');
      const isSameTurn = before !== null && before.enabled && before.everyDays === everyDays;
      const schedule: ListSchedule = {
        ...(before ?? NEVER_RUN),
        ...wanted,
        everyDays,
        ...owner,
        listId,
        keyId: principal.keyId,
        createdAt: before?.createdAt ?? new Date(now),
        nextRunAt: isSameTurn ? before.nextRunAt : firstRunOf(everyDays, now),
      };
      await this.store.save(tx, schedule);
      await this.versions.keep(tx, listId, wanted.enabled ? null : new Date(now));
      await recordAccountAction(tx, principal, new Date(now), 'list.schedule', {
        batch_id: listId,
        every_days: everyDays,
        enabled: wanted.enabled,
      });
      return schedule;
    });
  }

  /** The list is kept for its retention from now on. @throws AppError `schedule_not_found` and what `OrdersService.checkMayEnd` throws */
  async remove(principal: Principal, listId: number): Promise<void> {
    const owner = ownerOf(principal);
    const at = this.clock.date();
    await this.database.transaction(async (tx) => {
      const list = await this.versions.lockList(tx, owner, listId, ADDRESSES);
      const schedule = list && isOwn(owner, list) ? await this.store.lock(tx, listId) : null;
      if (schedule === null) throw new AppError('schedule_not_found');
      await this.orders.checkMayEnd(tx, principal, schedule.keyId);
      await this.store.delete(tx, listId);
      await this.versions.keep(tx, listId, at);
      await recordAccountAction(tx, principal, at, 'list.unschedule', { batch_id: listId });
    });
  }
}

const NEVER_RUN = {
  runningBatchId: null,
  runningSourceId: null,
  lastRunAt: null,
  lastRunStatus: null,
  lastRunReason: null,
  lastRunBatchId: null,
  lastRunChanged: null,
} as const;
