import { Body, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DownloadsService } from '../batch/results/downloads.service.js';
import { resultPresenter } from '../batch/results/result-writers.js';
import { DownloadQuery, ResultsQuery } from '../batch/results/results-query.dto.js';
import { Caller } from '../keys/access/caller.js';
import type { Principal } from '../keys/access/principal.js';
import { PageQuery, pageReply } from '../platform/http/page.js';
import { ResultsReply } from '../batch/http/batch.reply.js';
import { Presenters } from '../presenting/presenters.js';
import { ListPageReply, ListReply, ListWithRowsReply } from './lists.reply.js';
import { ListsService } from './lists.service.js';
import { Route, Routes } from '../keys/route.decorator.js';
import { IdParam } from '../platform/http/id-params.js';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { OptionalText } from '../platform/http/fields.js';

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
  async list(@Caller() caller: Principal, @Query() query: PageQuery): Promise<object> {
    return pageReply('lists', await this.lists.list(caller, query), (one) => this.lists.body(one));
  }

  @Route.get(':id', 'getList', 'A list with its first rows', { needs: ['lists', 'results'], ok: ListWithRowsReply })
  async get(
    @Caller() caller: Principal,
    @IdParam('list_not_found') id: number,
    @Query() query: ResultsQuery,
    @Req() request: FastifyRequest,
  ): Promise<object> {
    const one = await this.lists.get(caller, id);
    const present = resultPresenter(this.presenters.for(caller), request.id);
    const { results, next_cursor } = await this.downloads.page(one.current, query, present);
    return { ...this.lists.body(one), results, next_cursor };
  }

  @Route.get(':id/download', 'downloadList', 'The rows of a list as a file', {
    needs: ['lists', 'results'],
    produces: ['application/json', 'text/csv', 'application/x-ndjson'],
    ok: ResultsReply,
  })
  async download(
    @Caller() caller: Principal,
    @IdParam('list_not_found') id: number,
    @Query() query: DownloadQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object | StreamableFile> {
    const { current } = await this.lists.get(caller, id);
    return this.downloads.send(current, this.presenters.for(caller), { query, defaultFormat: 'csv', request, reply });
  }

  @Route.patch(':id', 'renameList', 'Rename a list', { needs: 'lists', optionalBody: RenameListRequest, ok: ListReply })
  async rename(
    @Caller() caller: Principal,
    @IdParam('list_not_found') id: number,
    @Body() { name }: RenameListRequest,
  ): Promise<object> {
    return this.lists.body(await this.lists.rename(caller, id, name ?? null));
  }

  @Route.delete(':id', 'deleteList', 'Delete a list and its batch with every address', {
    needs: 'lists',
    noContent: 'Deleted.',
    errors: ['ceiling_not_allowed', 'key_lasts_longer'],
  })
  async remove(@Caller() caller: Principal, @IdParam('list_not_found') id: number): Promise<void> {
    await this.lists.remove(caller, id);
  }
}
