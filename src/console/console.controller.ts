import { Get, Headers, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { sendDocument, type ServedDocument, servedDocument } from '../discovery/send-document.js';
import { PAGE_POLICY, readPage } from '../platform/http/built-pages.js';
import { UnlistedRoutes } from '../platform/http/public.decorator.js';

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
