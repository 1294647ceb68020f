import { Controller, Get, Headers, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { sendDocument, type ServedDocument, servedDocument } from '../discovery/send-document.js';
import { PAGE_POLICY, readPage } from '../platform/pages/built-pages.js';
import { AnyQuery } from '../platform/http/known-query.interceptor.js';
import { Public } from '../platform/http/public.decorator.js';

/** One page for every address of the console: which screen it shows, the page itself reads from the address. */
@Public()
@AnyQuery()
@ApiExcludeController()
@Controller('console')
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
