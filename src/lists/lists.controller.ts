import { Body, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DownloadsService } from '../batch/results/downloads.service.js';
import { RESULT_MEDIA_TYPES, resultPresenter } from '../batch/results/result-writers.js';
import { DownloadQuery, ResultsQuery } from '../batch/results/results-query.dto.js';
import { Caller } from '../keys/access/caller.js';
import type { Principal } from '../keys/access/principal.js';
import { PageQuery, pageReply } from '../platform/http/page.js';
import { ResultsReply } from '../batch/http/batch.reply.js';
import { Presenters } from '../presenting/presenters.js';
import {
  ListChangesReply,
  ListPageReply,
  ListReply,
  ListScheduleReply,
  ListWithRowsReply,
  scheduleReply,
  SchedulesReply,
  VERDICTS,
} from './lists.reply.js';
import { ListsService } from './lists.service.js';
import { Route, Routes } from '../keys/route.decorator.js';
import { IdParam } from '../platform/http/id-params.js';
import { ApiPropertyOptional, ApiProperty } from '@nestjs/swagger';
import { Matches, ArrayMinSize, IsArray, IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { OptionalFlag, OptionalText, OptionalInteger, UniqueItems } from '../platform/http/fields.js';
import { SCHEDULING_NEEDS } from './list-runs.service.js';
import { SchedulesService } from './schedules.service.js';
import { ListChangesService } from './list-changes.service.js';
import type { Verdict } from '../batch/model/chunk-result.js';
import { OptionalMaxCredits } from '../credits/max-credits.decorator.js';
import { REUSE } from '../batch/formats/sent-body.js';

export class RenameListRequest {
  @ApiPropertyOptional({ pattern: '\\S' })
  @OptionalText(200, 'Null, or left out: the list keeps its name.')
  @Matches(/\S/, { message: 'name must not be blank' })
  readonly name?: string | null;
}

/** Lists of full accounts; agents reach theirs through their tools. */
@Routes('api/v1/lists', { tag: 'Lists', for: 'full' })
export class ListsController {
  constructor(
    private readonly lists: ListsService,
    private readonly downloads: DownloadsService,
    private readonly presenters: Presenters,
  ) {}

  @Route.get('', 'listLists', 'Lists, newest first', { needs: 'lists', ok: ListPageReply })
  async list(@Caller() caller: Principal, @Query() query: PageQuery) {
    return pageReply('lists', await this.lists.list(caller, query), (one) => this.lists.body(one));
  }

  @Route.get(':id', 'getList', 'A list with its first rows', { needs: ['lists', 'results'], ok: ListWithRowsReply })
  async get(
    @Caller() caller: Principal,
    @IdParam('list_not_found') id: number,
    @Query() query: ResultsQuery,
    @Req() request: FastifyRequest,
  ) {
    const one = await this.lists.get(caller, id);
    const present = resultPresenter(this.presenters.for(caller), request.id);
    const { results, next_cursor } = await this.downloads.page(one.current, query, present);
    return { ...this.lists.body(one), results, next_cursor };
  }

  @Route.get(':id/download', 'downloadList', 'The rows of a list as a file', {
    needs: ['lists', 'results'],
    produces: RESULT_MEDIA_TYPES,
    ok: ResultsReply,
  })
  async download(
    @Caller() caller: Principal,
    @IdParam('list_not_found') id: number,
    @Query() query: DownloadQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { current } = await this.lists.get(caller, id);
    return this.downloads.send(current, this.presenters.for(caller), { query, defaultFormat: 'csv', request, reply });
  }

  @Route.patch(':id', 'renameList', 'Rename a list', { needs: 'lists', optionalBody: RenameListRequest, ok: ListReply })
  async rename(
    @Caller() caller: Principal,
    @IdParam('list_not_found') id: number,
    @Body() { name }: RenameListRequest,
  ) {
    return this.lists.body(await this.lists.rename(caller, id, name ?? null));
  }

  @Route.delete(':id', 'deleteList', 'Delete a list and its batch with every address', {
    needs: 'lists',
    noContent: 'Deleted.',
    errors: ['ceiling_not_allowed', 'key_lasts_longer'],
  })
  async remove(@Caller() caller: Principal, @IdParam('list_not_found') id: number) {
    await this.lists.remove(caller, id);
  }
}

const MAX_EVERY_DAYS = 365;

class ListScheduleRequest {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_EVERY_DAYS, description: 'Days from one run to the next.' })
  // The service asks for it: whose list it is not is told nothing else.
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_EVERY_DAYS)
  readonly every_days?: number | null;

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', enum: [...VERDICTS] },
    minItems: 1,
    uniqueItems: true,
    nullable: true,
    description: 'Addresses with these verdicts are asked about again, and `unknown` ones always; null: all.',
  })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @UniqueItems()
  @IsIn([...VERDICTS], { each: true })
  readonly verdicts?: readonly Verdict[] | null;

  @OptionalInteger(REUSE)
  readonly reuse_days?: number | null;

  @OptionalMaxCredits()
  readonly max_credits?: number | null;

  @OptionalFlag({ default: true, nullable: true, description: 'False: no further run begins.' })
  readonly enabled?: boolean | null;
}

const DEFAULT_LIMIT = 20;

/** Lists that are verified again and again, and what has changed in them. */
@Routes('api/v1/lists', { tag: 'Lists', for: 'full', inTurn: 'schedules' })
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
  ) {
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
  async get(@Caller() caller: Principal, @IdParam('schedule_not_found') id: number) {
    return scheduleReply(await this.schedules.get(caller, id));
  }

  @Route.delete(':id/schedule', 'unscheduleList', 'Verify a list no more', {
    needs: 'lists',
    noContent: 'No further run begins.',
    errors: ['ceiling_not_allowed', 'key_lasts_longer'],
  })
  async remove(@Caller() caller: Principal, @IdParam('schedule_not_found') id: number) {
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
  ) {
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
