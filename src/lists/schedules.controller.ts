import { Body, Controller, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { BATCH_ID_SCHEMA, BatchIdParam } from '../batch/http/batch-id.js';
import { RequireFullAccount } from '../keys/access/audience.js';
import { Caller } from '../keys/access/caller.js';
import type { Principal } from '../keys/access/principal.js';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { PageQuery } from '../platform/http/page.js';
import { ListsService } from './lists.service.js';
import { ListChangesService } from './list-changes.service.js';
import { ListScheduleRequest } from './lists.dto.js';
import { ListChangesReply, ListScheduleReply, scheduleReply } from './schedules.reply.js';
import { SchedulesService } from './schedules.service.js';
import { InTurn } from '../keys/limits/in-turn.interceptor.js';

const LIST_ID = { name: 'id', schema: BATCH_ID_SCHEMA } as const;
const DEFAULT_LIMIT = 20;

/** Lists that are verified again and again, and what has changed in them. */
@ApiTags('Lists')
@ApiBearerAuth()
@RequireFullAccount()
@InTurn()
@Controller('api/v1/lists')
export class SchedulesController {
  constructor(
    private readonly schedules: SchedulesService,
    private readonly lists: ListsService,
    private readonly found: ListChangesService,
  ) {}

  @Post(':id/schedule')
  @HttpCode(200)
  @ApiParam(LIST_ID)
  @ApiOkResponse({ type: ListScheduleReply })
  @ApiErrors('ceiling_not_allowed', 'key_lasts_longer', 'list_not_found', 'too_many_schedules')
  @ApiOperation({ operationId: 'scheduleList', summary: 'Verify a list again and again' })
  async set(
    @Caller() caller: Principal,
    @BatchIdParam('list_not_found') id: number,
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

  @Get(':id/schedule')
  @ApiParam(LIST_ID)
  @ApiOkResponse({ type: ListScheduleReply })
  @ApiErrors('schedule_not_found')
  @ApiOperation({ operationId: 'getListSchedule', summary: 'The schedule of a list, and its last run' })
  async get(@Caller() caller: Principal, @BatchIdParam('schedule_not_found') id: number): Promise<object> {
    return scheduleReply(await this.schedules.get(caller, id));
  }

  @Delete(':id/schedule')
  @HttpCode(204)
  @ApiParam(LIST_ID)
  @ApiNoContentResponse({ description: 'No further run begins.' })
  @ApiErrors('ceiling_not_allowed', 'key_lasts_longer', 'schedule_not_found')
  @ApiOperation({ operationId: 'unscheduleList', summary: 'Verify a list no more' })
  async remove(@Caller() caller: Principal, @BatchIdParam('schedule_not_found') id: number): Promise<void> {
    await this.schedules.remove(caller, id);
  }

  @Get(':id/changes')
  @ApiParam(LIST_ID)
  @ApiOkResponse({ type: ListChangesReply })
  @ApiErrors('list_not_found')
  @ApiOperation({ operationId: 'listChanges', summary: 'Addresses whose verdict the newest run has changed' })
  async changes(
    @Caller() caller: Principal,
    @BatchIdParam('list_not_found') id: number,
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
