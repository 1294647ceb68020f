import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AccessGuard } from '../access/access.guard.js';
import type { CallerRequest } from '../access/caller.js';
import { rateHeaders } from './rate-headers.js';
import { checkAdmission, RateLimitService } from './rate-limit.service.js';

/** The interfaces that need a key. */
const NEEDS_KEY = /^\/(api|admin)\/v1(?=\/|$)/;

/**
 * Asks for a key, and counts the request, where no route of an interface answers: Nest runs its guards for routes alone. Without it anybody
 * could find out which paths there are, as often as they like.
 */
@Injectable()
export class UnknownPathsGuard {
  constructor(
    private readonly access: AccessGuard,
    private readonly rates: RateLimitService,
  ) {}

  /** @param fastify of an application that is not initialised yet */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, reply) => this.check(request as FastifyRequest & CallerRequest, reply));
  }

  /** @throws AppError as `AccessGuard.identify` does, and `rate_limited` or `request_in_flight` */
  private async check(request: FastifyRequest & CallerRequest, reply: FastifyReply): Promise<void> {
    if (!request.is404 || !NEEDS_KEY.test(pathOf(request.url))) return;
    const principal = await this.access.identify(request);
    request.principal = principal;
    const admission = await this.rates.admit(principal);
    void reply.headers(rateHeaders(principal.policy, admission.states[0]!));
    checkAdmission(admission);
    await this.rates.release(admission);
  }
}

/** As the router reads it: without the origin of the absolute form (RFC 9112 section 3.2.2), without the query, and decoded. */
function pathOf(url: string): string {
  const [path] = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '').split(/[?#;]/, 1) as [string];
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
