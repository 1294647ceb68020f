import { type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AroundInterceptor, type Rest } from '../platform/http/around.interceptor.js';
import { CallerStream } from '../platform/http/caller-stream.js';
import type { IdempotencyClaim, ClaimingRequest } from './idempotency-claim.js';
import { UnreadableBody } from '../platform/http/json-body.js';
import { fingerprint, streamFingerprint } from './fingerprint.js';
import { parseIdempotencyKey } from './idempotency-key.js';
import { IdempotencyService } from './idempotency.service.js';
import type { IdempotentRequest, Requester } from './idempotent-request.js';
import { finalRefusal, type KeptReply, refusalOf } from './replies/kept-reply.js';

/** A request after the guards, which note who asks. */
type KeyedRequest = FastifyRequest & ClaimingRequest & { readonly principal?: Requester };

/** Headers that a replay repeats, because they belong to the work; all others belong to one request. */
const KEPT_HEADERS = ['location', 'mailsonde-action', 'retry-after'];

/**
 * Answers a repeated POST with the same `Idempotency-Key` with its first reply. It runs around the presenting, so that it sees
 * whole bodies, and within the guards, so that a replay counts like any request.
 */
@Injectable()
export class IdempotencyInterceptor extends AroundInterceptor {
  constructor(private readonly idempotency: IdempotencyService) {
    super();
  }

  around(context: ExecutionContext, rest: Rest): Promise<unknown> {
    const request = context.getArgByIndex<KeyedRequest>(0);
    const field = request.headers['idempotency-key'];
    const { principal, method, body } = request;
    if (field === undefined || principal === undefined || method !== 'POST') return rest();
    const route = `${method} ${request.routeOptions.url}`;
    const key = parseIdempotencyKey(field);
    // An unreadable body has no fingerprint; the check of input refuses it.
    if (body instanceof UnreadableBody) return rest();
    const asked = { requester: principal, route, key, fingerprint: takeFingerprint(request) };
    return this.answer(asked, request, context.switchToHttp().getResponse<FastifyReply>(), rest);
  }

  private async answer(
    asked: IdempotentRequest,
    request: KeyedRequest,
    response: FastifyReply,
    rest: Rest,
  ): Promise<string> {
    const { reply, replayed } = await this.idempotency.once(asked, (claim) => {
      request.claim = claim;
      return replyOf(rest, request, response, claim);
    });
    const further: Record<string, string> = replayed ? { 'Idempotent-Replayed': 'true' } : {};
    if (reply.status >= 400) throw refusalOf(reply, further);
    void response.headers({ ...reply.headers, ...further, 'Content-Type': 'application/json; charset=utf-8' });
    return reply.body;
  }
}

function takeFingerprint({ url, body }: KeyedRequest): IdempotentRequest['fingerprint'] {
  return body instanceof CallerStream ? streamFingerprint(url, body) : fingerprint(url, body);
}

async function replyOf(
  rest: Rest,
  request: KeyedRequest,
  response: FastifyReply,
  claim: IdempotencyClaim,
): Promise<KeptReply> {
  try {
    const body = await rest();
    return { status: response.statusCode, headers: keptHeaders(response), body: JSON.stringify(body) ?? '' };
  } catch (error) {
    // A refusal rolls back everything that the work did before it, and only the refusal is kept.
    await claim.rollback();
    const refusal = finalRefusal(error, request.id);
    if (refusal === null) throw error;
    return refusal;
  }
}

function keptHeaders(response: FastifyReply): Record<string, string> {
  return Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => {
      const value = response.getHeader(name);
      return value === undefined ? [] : [[name, String(value)]];
    }),
  );
}
