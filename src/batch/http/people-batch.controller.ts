import { applyDecorators, Controller, Post, Query, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import {
  ApiBearerAuth,
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequireFullAccount } from '../../keys/access/audience.js';
import { Caller } from '../../keys/access/caller.js';
import type { Principal } from '../../keys/access/principal.js';
import { ApiErrors } from '../../platform/errors/api-errors.decorator.js';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../../idempotency/idempotency-claim.js';
import { ApiIdempotencyKey } from '../../idempotency/idempotency-key.decorator.js';
import type { StreamedRequest } from '../../platform/http/bodies/streamed-request.js';
import { BatchDeletedReply } from './batch.reply.js';
import {
  PeopleBatchPageReply,
  PeopleBatchReply,
  PeopleBatchRequest,
  PeopleBatchTakenReply,
  PeopleResultsReply,
} from './people-batch.reply.js';
import { sentRows, settingsOf } from '../intake/body.js';
import { mediaTypesOf } from '../formats/formats.js';
import { SubmitPeopleQuery } from '../intake/submit-query.dto.js';
import { PEOPLE } from '../model/batch-kind.js';
import { batchRoutes } from './batch-routes.controller.js';

const Routes = batchRoutes(PEOPLE, {
  audience: RequireFullAccount(),
  list: applyDecorators(
    ApiOkResponse({ type: PeopleBatchPageReply }),
    ApiOperation({ operationId: 'listPeopleBatches', summary: "The finder's batches of the account, newest first" }),
  ),
  status: applyDecorators(
    ApiOkResponse({ type: PeopleBatchReply }),
    ApiOperation({ operationId: 'getPeopleBatch', summary: 'How far a batch of the finder is' }),
  ),
  start: applyDecorators(
    ApiOkResponse({ type: PeopleBatchReply }),
    ApiOperation({ operationId: 'startPeopleBatch', summary: 'Reserve the credits of a held batch and begin it' }),
  ),
  keep: applyDecorators(
    ApiOkResponse({ type: PeopleBatchReply }),
    ApiOperation({ operationId: 'keepPeopleBatch', summary: 'Choose how long a batch of the finder is kept' }),
  ),
  results: applyDecorators(
    ApiOkResponse({ type: PeopleResultsReply }),
    ApiOperation({ operationId: 'getPeopleResults', summary: 'Who was found, in the order of submission' }),
  ),
  remove: applyDecorators(
    ApiExtraModels(PeopleBatchReply, BatchDeletedReply),
    ApiOkResponse({
      schema: { oneOf: [PeopleBatchReply, BatchDeletedReply].map((one) => ({ $ref: getSchemaPath(one) })) },
    }),
    ApiOperation({
      operationId: 'removePeopleBatch',
      summary: 'Cancel a batch that runs, or delete a held or finished one',
    }),
  ),
});

/** Searches for many people, on the machinery of batches. */
@ApiTags('Finder')
@ApiBearerAuth()
@RequireFullAccount()
@Controller('api/v1/finder/batch')
export class PeopleBatchController extends Routes {
  @Post()
  @RouteConfig({ streamsBody: true })
  @ApiIdempotencyKey()
  @ApiConsumes(...mediaTypesOf('people'))
  @ApiBody({ type: PeopleBatchRequest })
  @ApiCreatedResponse({ type: PeopleBatchTakenReply })
  @ApiErrors(
    'credits_insufficient',
    'ceiling_reached',
    'key_ceiling_reached',
    'too_many_endpoints',
    'too_many_held',
    'too_many_emails',
  )
  @ApiOperation({ operationId: 'submitPeople', summary: 'Find many people' })
  async submit(
    @Caller() caller: Principal,
    @Req() request: FastifyRequest & StreamedRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
    @Query() query: SubmitPeopleQuery,
  ): Promise<object> {
    const settings = settingsOf(query);
    const people = sentRows(request, caller, 'people', settings);
    const taken = await this.batches.submit(caller, PEOPLE, people, settings, claim);
    const { id, state: status, totalRows, uniqueAddresses, webhook } = taken;
    const [quote] = await this.held.quotesOf(caller, PEOPLE, [taken]);
    void reply.header('Location', `/api/v1/finder/batch/${id}`);
    return {
      id,
      status,
      total_people: totalRows,
      unique_people: uniqueAddresses,
      name: settings.name,
      webhook: webhook && { id: webhook.id, url: settings.webhookUrl, secret: webhook.secret },
      ...(quote && { quote }),
    };
  }
}
