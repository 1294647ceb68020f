import { Get, Headers, Param, Req, Res } from '@nestjs/common';
import accepts from 'accepts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ServedDocument, sendDocument } from '../discovery/send-document.js';
import { AppError } from '../platform/errors/app-error.js';
import { PAGE_POLICY } from '../platform/http/built-pages.js';
import { GuidesService } from './guides.service.js';
import { INDEX } from './write-guides.js';
import { UnlistedRoutes } from '../platform/http/public.decorator.js';

/** `docs/` of this version: pages for people, and the same text as Markdown for models. */
@UnlistedRoutes()
export class GuidesController {
  constructor(private readonly guides: GuidesService) {}

  @Get('docs/guides')
  index(
    @Req() request: FastifyRequest,
    @Headers('if-none-match') known: string | undefined,
    @Res() reply: FastifyReply,
  ): void {
    this.open(INDEX, request, known, reply);
  }

  @Get('docs/guides/:name')
  open(
    @Param('name') file: string,
    @Req() { raw }: FastifyRequest,
    @Headers('if-none-match') known: string | undefined,
    @Res() reply: FastifyReply,
  ): void {
    const [, name = '', ending] = /^(.*?)(\.md)?$/s.exec(file) ?? [];
    const isText = ending !== undefined || accepts(raw).type(['text/html', 'text/markdown']) === 'text/markdown';
    const guide = this.guides.find(name, isText ? 'md' : 'html');
    if (guide === null) throw new AppError('not_found');
    if (ending === undefined) void reply.header('Vary', 'Accept');
    send(guide, known, reply);
  }

  @Get('llms-full.txt')
  whole(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    send(this.guides.whole(), known, reply);
  }
}

function send(document: ServedDocument, known: string | undefined, reply: FastifyReply): void {
  void reply.header('Content-Security-Policy', PAGE_POLICY);
  sendDocument(document, known, reply);
}
