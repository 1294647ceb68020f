import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AccessGuard } from '../access/access.guard.js';
import type { CallerRequest } from '../access/caller.js';
import { rateHeaders } from './rate-headers.js';
import { checkAdmission, RateLimitService } from './rate-limit.service.js';

/** The interfaces that need a key. */
const NEEDS_KEY = /^\/(api|admin)\/v1(?=[/?#]|$)/;

/**
 * Asks for a key, and counts the request, where no route of an interface answers: Nest runs its guards for routes alone. Without it anybody
 * could find out which paths there are, as often as they like.
 */
export function guardUnknownPaths(app: NestFastifyApplication): void {
  const guard = app.get(AccessGuard);
  const rates = app.get(RateLimitService);
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();

  async function admit(request: FastifyRequest & CallerRequest, reply: FastifyReply): Promise<void> {
    const principal = await guard.identify(request);
    request.principal = principal;
    const admission = await rates.admit(principal);
    void reply.headers(rateHeaders(principal.policy, admission.states[0]!));
    checkAdmission(admission);
    await rates.release(admission);
  }

  fastify.addHook('onRequest', async (request, reply) => {
    if (request.is404 && NEEDS_KEY.test(request.url)) await admit(request as FastifyRequest & CallerRequest, reply);
  });
}
