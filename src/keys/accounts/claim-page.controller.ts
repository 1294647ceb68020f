import { Get, Inject, Req, Res } from '@nestjs/common';
import accepts from 'accepts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ENV, type Env } from '../../platform/config/env.js';
import { KEY_POLICIES, type KeyPolicies } from '../../platform/config/policies.js';
import { PAGE_POLICY } from '../../platform/http/built-pages.js';
import { claimPage } from './claim-page.js';
import { CLAIM_PATH } from './claims.service.js';
import { UnlistedRoutes } from '../../platform/http/public.decorator.js';

/** What `claim_url` answers: how a person takes an agent's key under their account. It takes no token, so none gets into a log. */
@UnlistedRoutes()
export class ClaimPageController {
  private pages: ReturnType<typeof claimPage> | null = null;

  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(KEY_POLICIES) private readonly policies: KeyPolicies,
  ) {}

  @Get(CLAIM_PATH)
  page(@Req() { raw }: FastifyRequest, @Res() reply: FastifyReply): void {
    const pages = (this.pages ??= claimPage(this.env.publicUrl, this.policies.agent));
    // Who takes none of them gets the text: that is better than a refusal (RFC 9110 section 12.4.1).
    const type = (accepts(raw).type(Object.keys(pages)) || 'text/plain') as keyof typeof pages;
    if (type === 'text/html') void reply.header('Content-Security-Policy', PAGE_POLICY);
    void reply
      .headers({ Vary: 'Accept', 'Cache-Control': 'public, max-age=300', 'Referrer-Policy': 'no-referrer' })
      .type(`${type}; charset=utf-8`)
      .send(pages[type]);
  }
}
