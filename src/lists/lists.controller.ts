import { Body, Controller, Delete, Get, HttpCode, Patch, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiProduces,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DownloadsService } from '../batch/results/downloads.service.js';
import { resultPresenter } from '../batch/results/result-writers.js';
import { DownloadQuery, ResultsQuery } from '../batch/results/results-query.dto.js';
import { RequireFullAccount } from '../keys/access/audience.js';
import { Caller } from '../keys/access/caller.js';
import type { Principal } from '../keys/access/principal.js';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { BATCH_ID_SCHEMA, BatchIdParam } from '../batch/http/batch-id.js';
import { PageQuery } from '../platform/http/page.js';
import { ResultsReply } from '../batch/http/batch.reply.js';
import { Presenters } from '../presenting/presenters.js';
import { RenameListRequest } from './lists.dto.js';
import { ListPageReply, ListReply, ListWithRowsReply } from './lists.reply.js';
import { ListsService } from './lists.service.js';

const LIST_ID = { name: 'id', schema: BATCH_ID_SCHEMA } as const;

/** Lists of full accounts; agents reach theirs through their tools. */
@ApiTags('Lists')
@ApiBearerAuth()
@RequireFullAccount()
@Controller('api/v1/lists')
export class ListsController {
  constructor(
    private readonly lists: ListsService,
    private readonly downloads: DownloadsService,
    private readonly presenters: Presenters,
  ) {}

  @Get()
  @ApiOkResponse({ type: ListPageReply })
  @ApiOperation({ operationId: 'listLists', summary: 'Lists, newest first' })
  async list(@Caller() caller: Principal, @Query() query: PageQuery): Promise<object> {
    const { items, nextCursor } = await this.lists.list(caller, query);
    return { lists: items.map((one) => this.lists.body(one)), next_cursor: nextCursor };
  }

  @Get(':id')
  @ApiParam(LIST_ID)
  @ApiOkResponse({ type: ListWithRowsReply })
  @ApiErrors('list_not_found')
  @ApiOperation({ operationId: 'getList', summary: 'A list with its first rows' })
  async get(
    @Caller() caller: Principal,
    @BatchIdParam('list_not_found') id: number,
    @Query() query: ResultsQuery,
    @Req() request: FastifyRequest,
  ): Promise<object> {
    const one = await this.lists.get(caller, id);
    const present = resultPresenter(this.presenters.for(caller), request.id);
    const { results, next_cursor } = await this.downloads.page(one.current, query, present);
    return { ...this.lists.body(one), results, next_cursor };
  }

  @Get(':id/download')
  @ApiParam(LIST_ID)
  @ApiProduces('application/json', 'text/csv', 'application/x-ndjson')
  @ApiOkResponse({ type: ResultsReply })
  @ApiErrors('list_not_found')
  @ApiOperation({ operationId: 'downloadList', summary: 'The rows of a list as a file' })
  async download(
    @Caller() caller: Principal,
    @BatchIdParam('list_not_found') id: number,
    @Query() query: DownloadQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object | StreamableFile> {
    const { current } = await this.lists.get(caller, id);
    return this.downloads.send(current, this.presenters.for(caller), { query, defaultFormat: 'csv', request, reply });
  }

  @Patch(':id')
  @ApiParam(LIST_ID)
  @ApiBody({ type: RenameListRequest, required: false })
  @ApiOkResponse({ type: ListReply })
  @ApiErrors('list_not_found')
  @ApiOperation({ operationId: 'renameList', summary: 'Rename a list' })
  async rename(
    @Caller() caller: Principal,
    @BatchIdParam('list_not_found') id: number,
    @Body() { name }: RenameListRequest,
  ): Promise<object> {
    return this.lists.body(await this.lists.rename(caller, id, name ?? null));
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiParam(LIST_ID)
  @ApiNoContentResponse({ description: 'Deleted.' })
  @ApiErrors('ceiling_not_allowed', 'key_lasts_longer', 'list_not_found')
  @ApiOperation({ operationId: 'deleteList', summary: 'Delete a list and its batch with every address' })
  async remove(@Caller() caller: Principal, @BatchIdParam('list_not_found') id: number): Promise<void> {
    await this.lists.remove(caller, id);
  }
}
