import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { RequireFullAccount } from '../keys/access/audience.js';
import { Caller } from '../keys/access/caller.js';
import type { Principal } from '../keys/access/principal.js';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../idempotency/idempotency-claim.js';
import { ApiIdempotencyKey } from '../idempotency/idempotency-key.decorator.js';
import { findingBody } from '../presenting/verification-body.js';
import { FindingReply } from './finder.reply.js';
import { DEFAULT_TIMEOUT_MS, FindEmailRequest } from './finder.dto.js';
import { FinderService } from './finder.service.js';
import { readPerson } from './person.js';

@ApiTags('Finder')
@ApiBearerAuth()
@RequireFullAccount()
@Controller('api/v1/finder')
export class FinderController {
  constructor(private readonly finder: FinderService) {}

  @Post('email')
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiOkResponse({ type: FindingReply })
  @ApiErrors('credits_insufficient', 'ceiling_reached', 'key_ceiling_reached', 'public_mail_domain')
  @ApiOperation({ operationId: 'findEmail', summary: "Find and verify a person's address" })
  async find(
    @Caller() caller: Principal,
    @Body() request: FindEmailRequest,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
    @Req() { id }: FastifyRequest,
  ): Promise<object> {
    const budgetMs = request.timeout_ms ?? DEFAULT_TIMEOUT_MS;
    const asked = { person: readPerson(request), budgetMs, maxCredits: request.max_credits ?? null };
    return findingBody(await this.finder.find(caller, asked, claim), id);
  }
}
