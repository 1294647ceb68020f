import { Get, Headers, Inject, Req, Res } from '@nestjs/common';
import accepts from 'accepts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DocumentsService } from '../discovery/documents.service.js';
import { INDEX_LINKS } from '../discovery/service-index.js';
import { sendDocument, type ServedDocument, servedDocument } from '../discovery/send-document.js';
import { ENV, type Env } from '../platform/config/env.js';
import { PAGE_POLICY, readPage } from '../platform/http/built-pages.js';
import { UnlistedRoutes } from '../platform/http/public.decorator.js';

/* In the order for callers who take anything, most of them programs that read text. */
const TYPES = ['text/plain', 'text/html', 'text/markdown', 'application/json'] as const;
type MediaType = (typeof TYPES)[number];

/** `GET /`: a page for a person, the text of `/llms.txt` for a model, an index for a program. */
@UnlistedRoutes()
export class FrontDoorController {
  private readonly served = new Map<MediaType, ServedDocument>();

  constructor(
    private readonly documents: DocumentsService,
    @Inject(ENV) private readonly env: Env,
  ) {}

  @Get()
  open(
    @Req() { raw }: FastifyRequest,
    @Headers('if-none-match') known: string | undefined,
    @Res() reply: FastifyReply,
  ): void {
    // Who takes none of them gets the text: that is better than a refusal (RFC 9110 section 12.4.1).
    const type = (accepts(raw).type([...TYPES]) || 'text/plain') as MediaType;
    void reply.headers({ Vary: 'Accept', Link: INDEX_LINKS });
    if (type === 'text/html') void reply.header('Content-Security-Policy', PAGE_POLICY);
    sendDocument(this.documentOf(type), known, reply);
  }

  private documentOf(type: MediaType): ServedDocument {
    const made = this.served.get(type) ?? servedDocument(`${type}; charset=utf-8`, this.textOf(type));
    this.served.set(type, made);
    return made;
  }

  private textOf(type: MediaType): string {
    const { publicUrl } = this.env;
    if (type === 'text/html') return readPage('door.html').replaceAll('{{public_url}}', publicUrl);
    return this.documents.get(type === 'application/json' ? 'index' : 'llms-text').text;
  }
}
