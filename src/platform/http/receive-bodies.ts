import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.js';
import { CallerStream, type StreamedRequest } from './caller-stream.js';
import { isBeyondBounds, jsonText, UnreadableBody } from './json-body.js';
import { onReplyEnd } from './reply-end.js';

/** Limits on the time that a whole request may take to arrive. */
export interface ArrivalTimes {
  readonly wholeMs: number;
  /** The limit for a route that reads its body itself. */
  readonly streamedMs: number;
}

/**
 * The limits allow 1 MiB at 0.3 Mbit/s, and a million addresses at 1 Mbit/s. Without limits a slow sender would hold a connection
 * for ever.
 */
export const ARRIVAL_TIMES: ArrivalTimes = { wholeMs: 30_000, streamedMs: 300_000 };

/* The time that a closing connection waits for the rest of a refused body: closing earlier would reset it. */
const LINGER_MS = 10_000;

/* The type under which Fastify knows every body: it chooses a parser by type alone, and this one looks at the route. */
const STREAMED = 'application/vnd.mailsonde.streamed';

/* What a page's form sends. */
const FORM = 'application/x-www-form-urlencoded';
const MAX_FORM_BYTES = 4_096;

type BodyRequest = FastifyRequest & StreamedRequest & { callerStream?: CallerStream };

/** Lets a caller's bytes arrive through `CallerStream` only, whatever route or error answers them. */
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
 * Keeps a connection open for the caller's next request, unless that could not be distinguished from the rest of this one.
 * @param mayStay whether the process wants further requests
 */
export function keepConnections(fastify: FastifyInstance, mayStay: () => boolean): void {
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    const { callerStream } = request as BodyRequest;
    const stays = mayStay() && !callerStream?.hasFailed;
    // Fastify would close after an unread body, and so reset the connection of a caller who still sends.
    if (stays) reply.removeHeader('Connection');
    else void reply.header('Connection', 'close');
    const closes = !stays || !reply.raw.shouldKeepAlive;
    if (!closes || callerStream === undefined || callerStream.hasEnded) return done();
    linger(callerStream, done);
  });
}

/** Makes the stream that alone reads the caller's connection, whatever becomes of the request. */
function receiveBody(request: FastifyRequest, reply: FastifyReply, times: ArrivalTimes): void {
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
      // An empty body counts as none, because some clients always name a content type.
      if (text.trim() === '') return done(null, undefined);
      void parseJson(request, text, (error, value) =>
        error || isBeyondBounds(value) ? refuse(error) : done(null, value),
      );
    } catch (error) {
      refuse(error);
    }
  });
  fastify.addContentTypeParser(FORM, { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    if (bytes.length === 0) return done(null, undefined);
    if (!takesForm(request)) return done(null, unsupported());
    if (bytes.length > MAX_FORM_BYTES) return done(null, new UnreadableBody(new AppError('body_too_large')));
    done(null, Object.fromEntries(new URLSearchParams(bytes.toString('utf8'))));
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

/** A route with `@RouteConfig({ takesForm: true })` is asked by pages without a script, too. */
function takesForm(request: FastifyRequest): boolean {
  return (request.routeOptions.config as { takesForm?: boolean } | undefined)?.takesForm === true;
}

/** A route with `@RouteConfig({ streamsBody: true })` reads its body itself, of whatever type: nothing collects it before. */
function streamsBody(request: FastifyRequest): boolean {
  return (request.routeOptions.config as { streamsBody?: boolean } | undefined)?.streamsBody === true;
}

/** Whether the request has a body (RFC 9112 section 6.3). */
function sendsBody({ raw: { headers } }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function linger(callerStream: CallerStream, done: () => void): void {
  const waiting = new AbortController();
  const late = delay(LINGER_MS, undefined, { signal: waiting.signal, ref: false });
  const over = (): void => {
    waiting.abort();
    done();
  };
  Promise.race([callerStream.arrival(), late]).then(over, over);
}
