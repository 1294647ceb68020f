import { type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AroundInterceptor, type Rest } from '../platform/http/around.interceptor.js';
import { CallerStream } from '../platform/http/caller-stream.js';
import type { IdempotencyClaim, ClaimingRequest } from './idempotency-claim.js';
import { UnreadableBody } from '../platform/http/json-body.js';
import { IdempotencyService } from './idempotency.service.js';
import type { IdempotentRequest, Requester } from './idempotent-request.js';
import { finalRefusal, type StoredReply, refusalOf } from './stored-reply.js';
import { createHash } from 'node:crypto';
import { AppError } from '../platform/errors/app-error.js';

/** A request after the guards, which note who asks. */
type KeyedRequest = FastifyRequest & ClaimingRequest & { readonly principal?: Requester };

/** Headers that a replay repeats, because they belong to the work; all others belong to one request. */
const REPLAYED_HEADERS = ['location', 'mailsonde-action', 'retry-after'];

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
): Promise<StoredReply> {
  try {
    const body = await rest();
    return { status: response.statusCode, headers: replayedHeaders(response), body: JSON.stringify(body) ?? '' };
  } catch (error) {
    // A refusal rolls back everything that the work did before it, and only the refusal is kept.
    await claim.rollback();
    const refusal = finalRefusal(error, request.id);
    if (refusal === null) throw error;
    return refusal;
  }
}

function replayedHeaders(response: FastifyReply): Record<string, string> {
  return Object.fromEntries(
    REPLAYED_HEADERS.flatMap((name) => {
      const value = response.getHeader(name);
      return value === undefined ? [] : [[name, String(value)]];
    }),
  );
}

/** The fingerprint of a request whose body has been read: its members in their order, without its white space. */
export function fingerprint(url: string, body: unknown): Buffer {
  return started(url)
    .update(JSON.stringify(body) ?? '')
    .digest();
}

/** The fingerprint of a request whose body is streaming: of all its bytes. Bytes that nobody has read by then are dropped. */
export function streamFingerprint(url: string, body: CallerStream): () => Promise<Buffer> {
  const hash = started(url);
  body.observe((piece) => hash.update(piece));
  return async () => {
    await body.arrival();
    return hash.digest();
  };
}

/** The hash of path and query, because another id under the same route is another request. */
function started(url: string) {
  return createHash('sha256').update(`${url}\n`);
}

/** 1 to 255 visible ASCII characters. */
export const KEY_PATTERN = /^[\x21-\x7e]{1,255}$/;
/** A string of RFC 8941 section 3.3.3, as draft-ietf-httpapi-idempotency-key-header spells the field. */
const QUOTED = /^"((?:[^"\\]|\\["\\])*)"$/;

/**
 * The key of an `Idempotency-Key` field: bare or quoted, 1 to 255 visible ASCII characters.
 * @throws AppError `malformed_header`
 */
export function parseIdempotencyKey(field: string | readonly string[]): string {
  const text = [field].flat().join(', ').trim();
  const quoted = QUOTED.exec(text)?.[1];
  const key = quoted === undefined ? text : quoted.replace(/\\(.)/g, '$1');
  if (KEY_PATTERN.test(key) && (quoted !== undefined || !text.startsWith('"'))) return key;
  throw new AppError('malformed_header', {
    message: 'Idempotency-Key must be 1 to 255 visible ASCII characters, bare or in double quotes.',
  });
}
