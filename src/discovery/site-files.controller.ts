import { Get, Headers, Inject, Logger, type OnModuleInit, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { ENV, type Env } from '../platform/config/env.js';
import { AppError } from '../platform/errors/app-error.js';
import { pageAsset, PAGE_POLICY } from '../platform/http/built-pages.js';
import { sendDocument, servedDocument } from './send-document.js';
import { UnlistedRoutes } from '../platform/http/public.decorator.js';
import { DocumentsService } from './documents.service.js';

const TEXT = 'text/plain; charset=utf-8';

/** The interfaces are for programs with a key; their documents are for everybody. */
const ROBOTS = servedDocument(
  TEXT,
  `User-agent: *
Allow: /api/v1/openapi.json
Allow: /agent-gateway/openapi.json
Disallow: /admin/
Disallow: /agent-gateway/
Disallow: /api/
Disallow: /console
Disallow: /mcp
Disallow: /try
`,
);

/** The files that browsers, crawlers and researchers look for at every site, and what has changed. */
@UnlistedRoutes()
export class SiteFilesController implements OnModuleInit {
  constructor(
    private readonly documents: DocumentsService,
    @Inject(ENV) private readonly env: Env,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  onModuleInit(): void {
    if (this.isExpired())
      new Logger('Start').warn('SECURITY_EXPIRES has passed: /.well-known/security.txt is 404 until you renew it.');
  }

  /** RFC 9116: an expired file must not be used, so it is not served. */
  @Get('.well-known/security.txt')
  security(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    const { security, publicUrl } = this.env;
    if (security === null || this.isExpired()) throw new AppError('not_found');
    const lines = [
      `Contact: ${security.contact}`,
      `Expires: ${security.expires.toISOString()}`,
      'Preferred-Languages: en',
      `Canonical: ${publicUrl}/.well-known/security.txt`,
      `Policy: ${publicUrl}/docs/guides/security`,
    ];
    sendDocument(servedDocument(TEXT, `${lines.join('\n')}\n`), known, reply);
  }

  @Get('robots.txt')
  robots(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    sendDocument(ROBOTS, known, reply);
  }

  /** What changes for users. */
  @Get('changelog')
  changelog(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    void reply.header('Content-Security-Policy', PAGE_POLICY);
    sendDocument(this.documents.get('changelog'), known, reply);
  }

  /** The mark of the console. Its address holds a hash of it, and changes with it. */
  @Get('favicon.ico')
  icon(@Res() reply: FastifyReply): void {
    void reply.redirect(pageAsset('mark'), 302);
  }

  private isExpired(): boolean {
    const { security } = this.env;
    return security !== null && security.expires.getTime() <= this.clock.now();
  }
}
