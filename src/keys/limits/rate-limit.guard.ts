import { type ExecutionContext, Injectable, SetMetadata, StreamableFile } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerModuleOptions,
  type ThrottlerRequest,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import type { FastifyReply, FastifyInstance, FastifyRequest } from 'fastify';
import type { CallerRequest } from '../access/caller.js';
import { rateHeaders, checkAdmission, RateLimitService, THROTTLER_OPTIONS } from './rate-limits.js';
import { rateLimit, type Admission } from '../../platform/redis/limits.js';
import { finished } from 'node:stream';
import { AroundInterceptor, type Rest } from '../../platform/http/around.interceptor.js';
import { AccessGuard } from '../access/access.guard.js';

const REVOCATION = Symbol('REVOCATION');

/** Marks a route that is let in where the limits of its account refuse it: whoever floods must not keep the owner from ending that. */
export const Revocation = () => SetMetadata(REVOCATION, true);

/**
 * Second of the global guards: the throttler of the caller's policy, and in the same step a permit in flight, which
 * `InFlightInterceptor` gives back. The package asks its storage once a throttler and takes what it gets, so that step is ours
 * (docs/adr/0027); which throttler applies, its numbers and its key are the package's (`THROTTLER_OPTIONS`).
 */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() storage: ThrottlerStorage,
    reflector: Reflector,
    private readonly rates: RateLimitService,
  ) {
    super(options, storage, reflector);
  }

  /**
   * Asks the throttler that the policy names. The package would ask each of them, and look at every request for ten decorators on its
   * route: no route has one, because a caller's rate is one over all routes.
   */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const { principal } = context.getArgByIndex<CallerRequest>(0);
    if (principal === undefined) return true;
    const throttler = THROTTLER_OPTIONS.throttlers.find(({ name }) => name === principal.policy.rate.kind)!;
    const [limit, ttl] = [throttler.limit(context), throttler.ttl(context)];
    const { getTracker, generateKey } = THROTTLER_OPTIONS;
    return this.handleRequest({ context, throttler, limit, ttl, blockDuration: ttl, getTracker, generateKey });
  }

  protected override async handleRequest(asked: ThrottlerRequest): Promise<boolean> {
    const { context, throttler, limit, ttl, getTracker, generateKey } = asked;
    const request = context.getArgByIndex<CallerRequest>(0);
    const key = generateKey(context, await getTracker(request, context), throttler.name!);
    const principal = request.principal!;
    const admission = await this.rates.admit(principal, rateLimit(throttler.name!, key, limit, ttl));
    const reply = context.getArgByIndex<FastifyReply>(1);
    for (const [name, value] of Object.entries(rateHeaders(principal.policy, admission.states[0]!)))
      void reply.header(name, value);
    if (admission.refusedBy !== null && this.isRevocation(context))
      checkAdmission(await this.rates.admitRevocation(principal));
    else {
      checkAdmission(admission);
      request.admission = admission;
    }
    return true;
  }

  private isRevocation(context: ExecutionContext): boolean {
    return Reflect.hasMetadata(REVOCATION, context.getHandler());
  }
}

/**
 * Outermost of the global interceptors: gives the permit in flight back when the work is done, before the reply goes out,
 * so that a caller who waits for one reply before the next request is never refused. A caller who hangs up keeps the permit
 * until the work, which goes on, has ended; a reply that streams keeps it until its last byte.
 */
@Injectable()
export class InFlightInterceptor extends AroundInterceptor {
  constructor(private readonly rates: RateLimitService) {
    super();
  }

  around(context: ExecutionContext, rest: Rest): Promise<unknown> {
    const { admission } = context.getArgByIndex<CallerRequest>(0);
    return admission === undefined ? rest() : this.whileHolding(admission, rest);
  }

  private async whileHolding(admission: Admission, rest: Rest): Promise<unknown> {
    let isStreaming = false;
    try {
      const body = await rest();
      if (body instanceof StreamableFile) {
        isStreaming = true;
        finished(body.getStream(), () => void this.rates.release(admission));
      }
      return body;
    } finally {
      if (!isStreaming) await this.rates.release(admission);
    }
  }
}

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
