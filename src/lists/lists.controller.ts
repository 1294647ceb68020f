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
import { BatchDownloadsService } from '../batch/batch-downloads.service.js';
import { acceptsGzip, ResultsQuery } from '../batch/result-input.js';
import { RequireFullAccount } from '../keys/audience.js';
import { Caller } from '../keys/caller.js';
import type { Principal } from '../keys/principal.js';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { BatchIdParam } from '../platform/http/id-params.js';
import { PageQuery } from '../platform/http/page.js';
import { ListPageReply, ListReply, ListWithRowsReply, ResultsReply } from '../presenting/batch-schemas.js';
import { Presenters } from '../presenting/presenters.js';
import { RenameListRequest } from './list-input.js';
import { ListsService } from './lists.service.js';

const LIST_ID = { name: 'id', schema: { type: 'integer', format: 'int64', minimum: 1 } } as const;

/** Agents reach their lists through their tools. */
@ApiTags('Lists')
@ApiBearerAuth()
@RequireFullAccount()
@Controller('api/v1/lists')
export class ListsController {
  constructor(
    private readonly lists: ListsService,
    private readonly downloads: BatchDownloadsService,
    private readonly presenters: Presenters,
  ) {}

  @Get()
  @ApiOkResponse({ type: ListPageReply })
  @ApiOperation({ operationId: 'listLists', summary: 'Lists, newest first' })
  async list(@Caller() caller: Principal, @Query() query: PageQuery): Promise<object> {
    const { items, nextCursor } = await this.lists.list(caller, query);
    return { lists: items.map((batch) => this.lists.body(batch)), next_cursor: nextCursor };
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
    const batch = await this.lists.get(caller, id);
    const { results, next_cursor } = await this.downloads.page(batch, this.asked(caller, query, request));
    return { ...this.lists.body(batch), results, next_cursor };
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
    @Query() query: ResultsQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object | StreamableFile> {
    const batch = await this.lists.get(caller, id);
    const asked = this.asked(caller, query, request);
    const { format = 'csv' } = query;
    if (format === 'json') return this.downloads.page(batch, asked);
    const file = this.downloads.file(batch, format, asked);
    void reply.header('Vary', 'Accept-Encoding');
    if (asked.acceptsGzip) void reply.header('Content-Encoding', 'gzip');
    return file;
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
  @ApiErrors('list_not_found')
  @ApiOperation({ operationId: 'deleteList', summary: 'Delete a list and its batch with every address' })
  async remove(@Caller() caller: Principal, @BatchIdParam('list_not_found') id: number): Promise<void> {
    await this.lists.remove(caller, id);
  }

  private asked(caller: Principal, query: ResultsQuery, request: FastifyRequest) {
    const presenter = this.presenters.for(caller);
    const present = (result: Parameters<typeof presenter.row>[0]) => presenter.row(result, request.id);
    return { query, acceptsGzip: acceptsGzip(request.headers['accept-encoding']), present };
  }
}
