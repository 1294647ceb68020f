import { Body, Query } from '@nestjs/common';
import { Caller } from '../keys/access/caller.js';
import type { Principal } from '../keys/access/principal.js';
import { PageQuery } from '../platform/http/page.js';
import { ListsService } from './lists.service.js';
import { ListScheduleRequest } from './schedules.dto.js';
import { ListChangesReply, ListScheduleReply, scheduleReply, SchedulesReply } from './schedules.reply.js';
import { SCHEDULING_NEEDS } from './list-runs.service.js';
import { SchedulesService } from './schedules.service.js';
import { Route, Routes } from '../keys/route.decorator.js';
import { IdParam } from '../platform/http/id-params.js';
import { ListChangesService } from './list-changes.service.js';

const DEFAULT_LIMIT = 20;

/** Lists that are verified again and again, and what has changed in them. */
@Routes('api/v1/lists', { tag: 'Lists', for: 'full', inTurn: true })
export class SchedulesController {
  constructor(
    private readonly schedules: SchedulesService,
    private readonly lists: ListsService,
    private readonly found: ListChangesService,
  ) {}

  @Route.post(':id/schedule', 'scheduleList', 'Verify a list again and again', {
    needs: SCHEDULING_NEEDS,
    idempotencyKey: false,
    ok: ListScheduleReply,
    errors: ['ceiling_not_allowed', 'key_lasts_longer', 'too_many_schedules'],
  })
  async set(
    @Caller() caller: Principal,
    @IdParam('list_not_found') id: number,
    @Body() { every_days, verdicts, reuse_days, max_credits, enabled }: ListScheduleRequest,
  ): Promise<object> {
    const schedule = await this.schedules.set(caller, id, {
      everyDays: every_days ?? null,
      verdicts: verdicts ?? null,
      reuseDays: reuse_days ?? 0,
      maxCredits: max_credits ?? null,
      enabled: enabled ?? true,
    });
    return scheduleReply(schedule);
  }

  @Route.get(':id/schedule', 'getListSchedule', 'The schedule of a list, and its last run', {
    needs: 'lists',
    ok: ListScheduleReply,
  })
  async get(@Caller() caller: Principal, @IdParam('schedule_not_found') id: number): Promise<object> {
    return scheduleReply(await this.schedules.get(caller, id));
  }

  @Route.delete(':id/schedule', 'unscheduleList', 'Verify a list no more', {
    needs: 'lists',
    noContent: 'No further run begins.',
    errors: ['ceiling_not_allowed', 'key_lasts_longer'],
  })
  async remove(@Caller() caller: Principal, @IdParam('schedule_not_found') id: number): Promise<void> {
    await this.schedules.remove(caller, id);
  }

  @Route.get(':id/changes', 'listChanges', 'Addresses whose verdict the newest run has changed', {
    needs: ['lists', 'results'],
    ok: ListChangesReply,
  })
  async changes(
    @Caller() caller: Principal,
    @IdParam('list_not_found') id: number,
    @Query() { cursor, limit = DEFAULT_LIMIT }: PageQuery,
  ): Promise<object> {
    const { current, list } = await this.lists.get(caller, id);
    const newest = current.id === list.id ? null : current.id;
    // Asked before the changes are read: of a comparison that ends in between all changes are told.
    const pending = newest !== null && (await this.schedules.isComparing(id, newest));
    const { changes, nextCursor } = await this.found.page(pending ? null : newest, cursor, limit);
    return { list_id: id, batch_id: newest, pending, changes, next_cursor: nextCursor };
  }
}

@Routes('api/v1/schedules', { tag: 'Lists', for: 'full' })
export class AllSchedulesController {
  constructor(private readonly schedules: SchedulesService) {}

  @Route.get('', 'listSchedules', 'Lists that verify themselves again', { needs: 'lists', ok: SchedulesReply })
  async list(@Caller() caller: Principal): Promise<object> {
    const schedules = await this.schedules.list(caller);
    return { schedules: schedules.map((one) => ({ ...scheduleReply(one), name: one.name ?? `batch ${one.listId}` })) };
  }
}
