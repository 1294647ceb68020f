import { Inject, Query, Req, Res } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { KEY_POLICIES, type KeyPolicies, policyNamed } from '../../platform/config/policies.js';
import { AppError } from '../../platform/errors/app-error.js';
import { ResultsReply } from './batch.reply.js';
import { PeopleResultsReply } from './people-batch.reply.js';
import { Presenters } from '../../presenting/presenters.js';
import { DownloadsService } from '../results/downloads.service.js';
import { BatchService } from '../batch.service.js';
import { DownloadQuery } from '../results/results-query.dto.js';
import { RESULT_MEDIA_TYPES } from '../results/result-writers.js';
import { ResultLinks } from '../results/result-links.js';
import { PublicRoute, PublicRoutes } from '../../keys/route.decorator.js';
import { OptionalString } from '../../platform/http/fields.js';
import { IdParam } from '../../platform/http/id-params.js';

class LinkedResultsQuery extends DownloadQuery {
  @ApiPropertyOptional({ pattern: '^[0-9]{1,12}$', description: 'As in the link.' })
  @IsOptional()
  @Matches(/^\d{1,12}$/, { message: 'expires must be as in the link' })
  readonly expires?: string;

  @OptionalString(100, { description: 'As in the link.' })
  readonly signature?: string;
}

/** Serves the `results_url` of a webhook. */
@PublicRoutes('api/v1/verify/batch', { tag: 'Batch' })
export class LinkedResultsController {
  constructor(
    private readonly links: ResultLinks,
    private readonly batches: BatchService,
    private readonly downloads: DownloadsService,
    private readonly presenters: Presenters,
    @Inject(KEY_POLICIES) private readonly policies: KeyPolicies,
  ) {}

  @PublicRoute.get(':id/download', 'downloadResults', 'The results of a batch by a signed link, without a key', {
    produces: RESULT_MEDIA_TYPES,
    ok: [ResultsReply, PeopleResultsReply],
  })
  async download(
    @IdParam('not_found') id: number,
    @Query() query: LinkedResultsQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { expires = '0', signature = '' } = query;
    if (!this.links.isValid(id, Number(expires), signature)) throw noLink();
    const batch = await this.batches.findFinished(id);
    if (batch === null) throw noLink();
    const presenter = this.presenters.for({ policy: policyNamed(this.policies, batch.policy) });
    return this.downloads.send(batch, presenter, { query, request, reply });
  }
}

/** One refusal for every fault of a link, so that a caller who guesses links learns nothing. */
function noLink(): AppError {
  return new AppError('not_found', {
    message: 'This link is not valid, or its time is over, or the batch was deleted.',
  });
}
