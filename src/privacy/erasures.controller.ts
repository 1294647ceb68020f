import { Body, Query } from '@nestjs/common';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../idempotency/idempotency-claim.js';
import { Caller } from '../keys/access/caller.js';
import { ownerOf } from '../keys/access/owner.js';
import type { Principal } from '../keys/access/principal.js';
import { PageQuery } from '../platform/http/page.js';
import { ErasurePageReply, erasurePageReply, ErasureReply, erasureReply } from './erasure.reply.js';
import { ErasureReceipts } from './erasure-receipts.js';
import { ErasuresService } from './erasures.service.js';
import { Route, Routes } from '../keys/route.decorator.js';
import { UuidParam } from '../platform/http/id-params.js';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';
import { RequiredText } from '../platform/http/fields.js';

/** More than any address has, because domains may be written in letters. */
const MAX_EMAIL = 1_000;

export class EraseRequest {
  @ApiProperty({
    format: 'email',
    description: 'In any spelling; with another `+tag` it is another address.',
  })
  @RequiredText(MAX_EMAIL)
  readonly email: string;

  @ApiPropertyOptional({
    type: Boolean,
    default: false,
    description:
      'The address goes onto the suppression list, which has its hash alone. Otherwise it leaves that list too; one with a `+tag` takes nothing off it, because the list does not know tags.',
  })
  @IsOptional()
  @IsBoolean()
  readonly suppress?: boolean | null;
}

@Routes('api/v1/erasures', { tag: 'Privacy', for: 'full', inTurn: 'erasures', needs: ['results', 'suppressions'] })
export class ErasuresController {
  constructor(
    private readonly erasures: ErasuresService,
    private readonly receipts: ErasureReceipts,
  ) {}

  @Route.post('', 'eraseAddress', 'Take an address out of everything that the account has of it', {
    description:
      'It takes seconds; a batch that runs is looked through when it has ended. The receipt tells how far it is.',
    accepted: ErasureReply,
    errors: ['too_many_erasures'],
  })
  async order(
    @Caller() caller: Principal,
    @Body() { email, suppress }: EraseRequest,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
  ): Promise<ErasureReply> {
    return erasureReply(await this.erasures.order(caller, { email, suppress: suppress ?? false }, claim));
  }

  @Route.get('', 'listErasures', 'Erasures, newest first', {
    description: 'The receipts of all erasures of the account, in the mode of the key. None holds an address.',
    ok: ErasurePageReply,
  })
  async list(@Caller() caller: Principal, @Query() query: PageQuery): Promise<ErasurePageReply> {
    return erasurePageReply(await this.receipts.listOf(ownerOf(caller), query));
  }

  @Route.get(':id', 'getErasure', 'How far an erasure is, and what it has erased', { ok: ErasureReply })
  async get(@Caller() caller: Principal, @UuidParam('erasure_not_found') id: string): Promise<ErasureReply> {
    return erasureReply(await this.erasures.get(caller, id));
  }
}
