import { Get, Headers, Res, Body, Ip, Req } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { sendDocument, type ServedDocument, servedDocument } from '../discovery/send-document.js';
import { PAGE_POLICY, readPage } from '../platform/http/built-pages.js';
import { UnlistedRoutes } from '../platform/http/public.decorator.js';
import { FullVerificationReply } from '../presenting/verification.reply.js';
import { TryService } from './try.service.js';
import { PublicRoute, PublicRoutes } from '../keys/route.decorator.js';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';

/** One page for every address of the console: which screen it shows, the page itself reads from the address. */
@UnlistedRoutes('console')
export class ConsoleController {
  private page: ServedDocument | null = null;

  @Get(['', '*'])
  open(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    this.page ??= servedDocument('text/html; charset=utf-8', readPage('console.html'));
    void reply.headers({ 'Content-Security-Policy': PAGE_POLICY, 'Referrer-Policy': 'same-origin' });
    // It names the scripts by their hashes: asked for each time, it is never older than they are.
    sendDocument(this.page, known, reply, 'no-cache');
  }
}

export class TryRequest {
  /** Any text: a malformed address gets a verdict, not an error. */
  @ApiProperty({ maxLength: 1000, description: 'A word in the local part decides the verdict, such as `jane+full`.' })
  @IsString()
  @MaxLength(1000)
  readonly email: string;
}

@PublicRoutes('try', { tag: 'Try', only: 'full' })
export class TryController {
  constructor(private readonly tries: TryService) {}

  @PublicRoute.post('', 'tryEmail', 'Try an address in the simulated mail world; no key is needed', {
    ok: FullVerificationReply,
    errors: ['rate_limited'],
  })
  try(@Body() { email }: TryRequest, @Ip() clientAddress: string, @Req() { id }: { id: string }): Promise<object> {
    return this.tries.verify(email, clientAddress, id);
  }
}
