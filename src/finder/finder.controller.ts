import { applyDecorators, Body, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Caller } from '../keys/access/caller.js';
import type { Principal } from '../keys/access/principal.js';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../idempotency/idempotency-claim.js';
import { findingBody } from '../presenting/verification-body.js';
import { FindingReply } from './finder.reply.js';
import { FinderService } from './finder.service.js';
import { readPerson } from './person.js';
import { Route, Routes } from '../keys/route.decorator.js';
import { ApiPropertyOptional, ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { OptionalMaxCredits } from '../credits/max-credits.decorator.js';
import { OptionalInteger } from '../platform/http/fields.js';

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_NAME = 200;

const OptionalName = (documented: { readonly example: string; readonly description?: string }): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: String, maxLength: MAX_NAME, ...documented }),
    IsOptional(),
    IsString(),
    MaxLength(MAX_NAME),
  );

class FindEmailRequest {
  @OptionalName({ example: 'Jane', description: 'Together with `last_name`.' })
  readonly first_name?: string | null;

  @OptionalName({ example: 'Doe' })
  readonly last_name?: string | null;

  @OptionalName({
    example: 'Jane Doe',
    description: 'Instead of the two, in any script: titles, suffixes and the order of names are understood.',
  })
  readonly full_name?: string | null;

  @ApiProperty({
    maxLength: 2048,
    example: 'example.com',
    description: 'Where the person works; a web address or an email address is reduced to its domain.',
  })
  @IsString()
  @MaxLength(2048)
  readonly domain: string;

  @OptionalInteger({
    minimum: 1000,
    maximum: 60_000,
    default: DEFAULT_TIMEOUT_MS,
    description: 'Milliseconds; when they run out the answer is the best guess so far, as `unknown`.',
  })
  readonly timeout_ms?: number | null;

  @OptionalMaxCredits()
  readonly max_credits?: number | null;
}

@Routes('api/v1/finder', { tag: 'Finder', for: 'full' })
export class FinderController {
  constructor(private readonly finder: FinderService) {}

  @Route.post('email', 'findEmail', "Find and verify a person's address", {
    needs: 'finder',
    ok: FindingReply,
    spends: true,
    errors: ['public_mail_domain'],
  })
  async find(
    @Caller() caller: Principal,
    @Body() request: FindEmailRequest,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
    @Req() { id }: FastifyRequest,
  ) {
    const budgetMs = request.timeout_ms ?? DEFAULT_TIMEOUT_MS;
    const asked = { person: readPerson(request), budgetMs, maxCredits: request.max_credits ?? null };
    return findingBody(await this.finder.find(caller, asked, claim), id);
  }
}
