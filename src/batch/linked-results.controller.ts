import { Controller, Get, Inject, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiProduces,
  ApiPropertyOptional,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { KEY_POLICIES, type KeyPolicies, type PolicyName } from '../platform/config/policies.js';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { AppError } from '../platform/errors/app-error.js';
import { BatchIdParam } from '../platform/http/id-params.js';
import { Public } from '../platform/http/public.decorator.js';
import { ResultsReply } from '../presenting/batch-schemas.js';
import { PeopleResultsReply } from '../presenting/people-batch-schemas.js';
import { Presenters } from '../presenting/presenters.js';
import { BatchDownloadsService } from './batch-downloads.service.js';
import { BatchService } from './batch.service.js';
import { acceptsGzip, ResultsQuery } from './result-input.js';
import { ResultLinks } from './result-links.js';

class LinkedResultsQuery extends ResultsQuery {
  @ApiPropertyOptional({ pattern: '^[0-9]{1,12}$', description: 'As in the link.' })
  @IsOptional()
  @Matches(/^\d{1,12}$/, { message: 'expires must be as in the link' })
  readonly expires?: string;

  @ApiPropertyOptional({ description: 'As in the link.' })
  @IsOptional()
  @IsString()
  @MaxLength(100)
  readonly signature?: string;
}

/** What `results_url` of a webhook leads to. */
@ApiTags('Batch')
@Public()
@Controller('api/v1/verify/batch')
export class LinkedResultsController {
  constructor(
    private readonly links: ResultLinks,
    private readonly batches: BatchService,
    private readonly downloads: BatchDownloadsService,
    private readonly presenters: Presenters,
    @Inject(KEY_POLICIES) private readonly policies: KeyPolicies,
  ) {}

  @Get(':id/download')
  @ApiProduces('application/json', 'text/csv', 'application/x-ndjson')
  @ApiParam({ name: 'id', schema: { type: 'integer', format: 'int64', minimum: 1 } })
  @ApiExtraModels(ResultsReply, PeopleResultsReply)
  @ApiOkResponse({ schema: { oneOf: [ResultsReply, PeopleResultsReply].map((one) => ({ $ref: getSchemaPath(one) })) } })
  @ApiErrors('not_found')
  @ApiOperation({ operationId: 'downloadResults', summary: 'The results of a batch by a signed link, without a key' })
  async download(
    @BatchIdParam('not_found') id: number,
    @Query() query: LinkedResultsQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object | StreamableFile> {
    const { format = 'json', expires = '0', signature = '' } = query;
    if (!this.links.isValid(id, Number(expires), signature)) throw noLink();
    const batch = await this.batches.findFinished(id);
    if (batch === null) throw noLink();
    const presenter = this.presenters.for({ policy: this.policies[batch.policy as PolicyName] });
    const present = (result: Parameters<typeof presenter.row>[0]) => presenter.row(result, request.id);
    const asked = { query, acceptsGzip: acceptsGzip(request.headers['accept-encoding']), present };
    if (format === 'json') return this.downloads.page(batch, asked);
    const file = this.downloads.file(batch, format, asked);
    void reply.header('Vary', 'Accept-Encoding');
    if (asked.acceptsGzip) void reply.header('Content-Encoding', 'gzip');
    return file;
  }
}

/** Whatever is wrong with a link, whoever has guessed it learns nothing. */
function noLink(): AppError {
  return new AppError('not_found', {
    message: 'This link is not valid, or its time is over, or the batch was deleted.',
  });
}
