import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from './platform/errors/app-error.js';
import { CallerStream } from './platform/http/caller-stream.js';
import { isTooDeep, jsonText } from './platform/http/json-body.js';
import { onReplyEnd } from './platform/http/reply-end.js';
import type { StreamedRequest } from './platform/http/streamed-request.js';
import { UnreadableBody } from './platform/http/unreadable-body.js';

/** How long a whole request may take to come. */
export interface ArrivalTimes {
  readonly wholeMs: number;
  /** Where the route reads the body itself. */
  readonly streamedMs: number;
}

/** 1 MiB at 0.3 Mbit/s; a million addresses (34 MB) at 1 Mbit/s. Without bounds, a slow sender holds a connection for ever. */
export const ARRIVAL_TIMES: ArrivalTimes = { wholeMs: 30_000, streamedMs: 300_000 };

/* A connection that is to close waits so long for the rest of a body that was refused: closing earlier resets it. */
const LINGER_MS = 10_000;

/* What Fastify calls a body that a route reads itself: it looks for a parser by the type alone. The parser looks at the route. */
const STREAMED = 'application/vnd.mailsonde.streamed';

type BodyRequest = FastifyRequest & StreamedRequest & { callerStream?: CallerStream };

/** From here on a caller's bytes come through `CallerStream` only, whatever route or error answers them. */
export function receiveBodies(fastify: FastifyInstance, times: ArrivalTimes): void {
  addBodyParsers(fastify);
  fastify.addHook('onRequest', (request, reply, done) => {
    receiveBody(request, reply, times);
    done();
  });
  fastify.addHook('preParsing', (request, _reply, payload, done) => {
    const { callerStream } = request as BodyRequest;
    if (streamsBody(request)) {
      const { headers } = request.raw;
      (request as BodyRequest).sentContentType = headers['content-type'] ?? '';
      headers['content-type'] = STREAMED;
    }
    done(null, callerStream ?? payload);
  });
}

/**
 * A connection stays open for the caller's next request unless that could not be told from the rest of this one.
 * @param mayStay whether the process wants further requests
 */
export function keepConnections(fastify: FastifyInstance, mayStay: () => boolean): void {
  fastify.addHook('onSend', async (request, reply) => {
    const { callerStream } = request as BodyRequest;
    const stays = mayStay() && !callerStream?.hasFailed;
    // Fastify closes after a body that it has not read, which resets the connection of who still sends.
    if (stays) reply.removeHeader('Connection');
    else void reply.header('Connection', 'close');
    const closes = !stays || !reply.raw.shouldKeepAlive;
    if (closes && callerStream !== undefined && !callerStream.hasEnded) await linger(callerStream);
  });
}

/** Whatever becomes of the request: nobody reads the caller's connection but the stream that is made here. */
export function receiveBody(request: FastifyRequest, reply: FastifyReply, times: ArrivalTimes): void {
  const isStreamed = streamsBody(request);
  if (!isStreamed && !sendsBody(request)) return;
  const callerStream = new CallerStream(request.raw, isStreamed ? times.streamedMs : times.wholeMs);
  onReplyEnd(request.raw, reply.raw, () => callerStream.answered());
  Object.assign(request, { callerStream });
}

function addBodyParsers(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  const parseJson = fastify.getDefaultJsonParser('error', 'error');
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    const refuse = (cause?: unknown) => done(null, new UnreadableBody(new AppError('malformed_json', { cause })));
    try {
      const text = jsonText(bytes);
      // An empty body is none: clients that always name a content type may have nothing to send.
      if (text.trim() === '') return done(null, undefined);
      void parseJson(request, text, (error, value) => (error || isTooDeep(value) ? refuse(error) : done(null, value)));
    } catch (error) {
      refuse(error);
    }
  });
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body: Buffer, done) => {
    done(null, body.length === 0 ? undefined : unsupported());
  });
  fastify.addContentTypeParser(STREAMED, (request, payload, done) => {
    done(null, streamsBody(request) ? payload : unsupported());
  });
}

function unsupported(): UnreadableBody {
  return new UnreadableBody(new AppError('unsupported_media_type'));
}

/** A route with `@RouteConfig({ streamsBody: true })` reads its body itself, of whatever type: nothing collects it before. */
function streamsBody(request: FastifyRequest): boolean {
  return (request.routeOptions.config as { streamsBody?: boolean } | undefined)?.streamsBody === true;
}

/** RFC 9112 section 6.3. */
function sendsBody({ raw: { headers } }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

async function linger(callerStream: CallerStream): Promise<void> {
  const waiting = new AbortController();
  const late = delay(LINGER_MS, undefined, { signal: waiting.signal, ref: false });
  await Promise.race([callerStream.arrival(), late]).catch(() => undefined);
  waiting.abort();
}
