import { Query, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Caller } from '../../keys/access/caller.js';
import type { Principal } from '../../keys/access/principal.js';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../../idempotency/idempotency-claim.js';
import type { StreamedRequest } from '../../platform/http/caller-stream.js';
import { BatchDeletedReply } from './batch.reply.js';
import {
  PeopleBatchPageReply,
  PeopleBatchReply,
  PeopleBatchRequest,
  PeopleBatchTakenReply,
  PeopleResultsReply,
} from './people-batch.reply.js';
import { mediaTypesOf } from '../formats/formats.js';
import { SubmitPeopleQuery } from '../intake/submit-query.dto.js';
import { PEOPLE } from '../model/batch-kind.js';
import { batchRoutes } from './batch-routes.controller.js';
import { Route, Routes } from '../../keys/route.decorator.js';

const PeopleBatches = batchRoutes(PEOPLE, {
  path: 'finder/batch',
  rows: 'people',
  for: 'full',
  needs: 'finder',
  resultsNeed: ['finder', 'results'],
  list: ['listPeopleBatches', "The finder's batches of the account, newest first", PeopleBatchPageReply],
  status: ['getPeopleBatch', 'How far a batch of the finder is', PeopleBatchReply],
  start: ['startPeopleBatch', 'Reserve the credits of a held batch and begin it', PeopleBatchReply],
  keep: ['keepPeopleBatch', 'Choose how long a batch of the finder is kept', PeopleBatchReply],
  results: ['getPeopleResults', 'Who was found, in the order of submission', PeopleResultsReply],
  remove: [
    'removePeopleBatch',
    'Cancel a batch that runs, or delete a held or finished one',
    [PeopleBatchReply, BatchDeletedReply],
  ],
});

/** Searches for many people, on the machinery of batches. */
@Routes('api/v1/finder/batch', { tag: 'Finder', for: 'full' })
export class PeopleBatchController extends PeopleBatches {
  @Route.post('', 'submitPeople', 'Find many people', {
    needs: 'finder',
    consumes: [...mediaTypesOf('people')],
    body: { type: PeopleBatchRequest },
    created: PeopleBatchTakenReply,
    spends: true,
    errors: ['too_many_endpoints', 'too_many_held', 'too_many_emails'],
  })
  @RouteConfig({ streamsBody: true })
  async submit(
    @Caller() caller: Principal,
    @Req() request: FastifyRequest & StreamedRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
    @Query() query: SubmitPeopleQuery,
  ) {
    return this.take(caller, request, reply, claim, query);
  }
}
