import { Controller, Get, Headers, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import accepts from 'accepts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PAGE_POLICY } from '../platform/pages/built-pages.js';
import { AnyQuery } from '../platform/http/known-query.interceptor.js';
import { Public } from '../platform/http/public.decorator.js';
import { DocumentsService } from './documents.service.js';
import { sendDocument } from './send-document.js';

const BY_MEDIA_TYPE = {
  'text/html': 'changelog-page',
  'application/json': 'changelog',
  'application/atom+xml': 'changelog-feed',
} as const;
type MediaType = keyof typeof BY_MEDIA_TYPE;

/** What changes for users, as they read it best: a page for a browser, JSON for a program, Atom for a reader of feeds. */
@Public()
@AnyQuery()
@ApiExcludeController()
@Controller()
export class ChangelogController {
  constructor(private readonly documents: DocumentsService) {}

  @Get('changelog')
  changelog(
    @Req() { raw }: FastifyRequest,
    @Headers('if-none-match') known: string | undefined,
    @Res() reply: FastifyReply,
  ): void {
    // Who takes none of them gets the page: that is better than a refusal (RFC 9110 section 12.4.1).
    const type = accepts(raw).type(Object.keys(BY_MEDIA_TYPE)) || 'text/html';
    void reply.header('Vary', 'Accept');
    if (type === 'text/html') void reply.header('Content-Security-Policy', PAGE_POLICY);
    sendDocument(this.documents.get(BY_MEDIA_TYPE[type as MediaType]), known, reply);
  }

  @Get('changelog.json')
  json(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    sendDocument(this.documents.get('changelog'), known, reply);
  }

  @Get('changelog.atom')
  atom(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    sendDocument(this.documents.get('changelog-feed'), known, reply);
  }
}
