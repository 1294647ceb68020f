import { maxHeaderSize, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { DynamicModule, LoggerService, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import { ARRIVAL_TIMES, type ArrivalTimes, keepConnections, receiveBodies } from './platform/http/receive-bodies.js';
import type { Env } from './platform/config/env.js';
import { AppError } from './platform/errors/app-error.js';
import { Drain } from './platform/health/drain.js';
import { stoppingError } from './platform/health/health.controller.js';
import { rawReply } from './platform/http/raw-reply.js';
import { onReplyEnd } from './platform/http/reply-end.js';
import { runAroundAsPromises } from './platform/http/around.interceptor.js';
import { refuseOtherMethods } from './platform/http/route-methods.js';
import { requestIdFrom, traceIdFrom } from './platform/logging/trace.js';
import { AccessLog } from './platform/logging/service-logger.js';
import { histogram } from './platform/metrics/metrics.js';

/*
 * The largest body that is collected before its route runs: ample for one verification or 25 addresses. Routes that take more
 * (batches of full accounts) stream their bodies.
 */
const BODY_LIMIT_BYTES = 1_048_576;

/* Orchestrators kill after 30 s; jobs, pools and embedded servers need the rest of that time. */
const FINISH_WITHIN_MS = 25_000;

/*
 * The time that a client which sent no HTTP has to read the refusal: closing at once would reset the connection of a client that
 * still sends.
 */
const READ_REFUSAL_MS = 2_000;

/*
 * The silence after which a connection is closed, such as that of a client that reads no reply; longer than `timeout_ms` may be.
 */
const SILENT_MS = 120_000;

const HEALTH_ROUTES = ['/healthz', '/readyz'];

const COUNTED_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const requestDuration = histogram(
  'mailsonde_http_request_duration_seconds',
  'From the head of a request to the end of its reply, by pattern of the route and class of the status.',
  [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
  ['route', 'method', 'status'],
);

/** Swagger UI is the only page here that a browser runs; everything else is data. */
const PAGE_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; object-src 'none'";

/**
 * An application, not initialised yet, whose edge answers as `docs/interface.md` and `docs/errors.md` say.
 * @param module provides `EDGE_PIPELINE` and a `Drain`
 */
export async function createHttpApp(
  module: Type | DynamicModule,
  env: Pick<Env, 'trustedProxies'>,
  logger: LoggerService | false,
  times = ARRIVAL_TIMES,
): Promise<NestFastifyApplication> {
  runAroundAsPromises();
  const app = await NestFactory.create<NestFastifyApplication>(module, createFastifyAdapter(env, times), {
    logger,
    abortOnError: false,
    bodyParser: false,
    routeConflictPolicy: { duplicate: 'error', shadow: 'error' },
  });
  configureHttp(app);
  return app;
}

/** Fastify as the edge needs it, before Nest adds its routes. */
function createFastifyAdapter({ trustedProxies }: Pick<Env, 'trustedProxies'>, times: ArrivalTimes): FastifyAdapter {
  const options: FastifyServerOptions = {
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: times.streamedMs,
    connectionTimeout: SILENT_MS,
    requestIdHeader: false,
    // As long as a request's line may be: the router answers longer ones before anybody asks for a key.
    routerOptions: { maxParamLength: maxHeaderSize },
    rewriteUrl: ({ url }) => decodable(url ?? '/'),
    genReqId: (request) => requestIdFrom(request.headers['x-request-id']),
    // Fastify's own 503 is off: while draining our hook answers, with the body of all errors (docs/errors.md).
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => refuseConnection(error.code, socket),
  };
  // Nothing here is a middleware of Express.
  const adapter = new FastifyAdapter({ ...options, skipMiddie: true });
  receiveBodies(adapter.getInstance(), times);
  return adapter;
}

/** The hooks and handlers between Fastify and the feature modules, except the parts of `REQUEST_PIPELINE`. */
function configureHttp(app: NestFastifyApplication): void {
  app.useSecurityHeaders({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: "'none'", frameAncestors: "'none'" } },
    xFrameOptions: { action: 'deny' },
  });
  const drain = app.get(Drain);
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  watchRequests(fastify, drain);
  keepConnections(fastify, () => !drain.isDraining);
  closeLeftConnections(fastify, drain);
  refuseNulInFiles(fastify);
  refuseOtherMethods(fastify);
}

/**
 * The stop waits for running requests first, because feature modules close the pools that these use. New ones are answered with 503 until they
 * have ended their work, too: a refused connection would tell their caller nothing.
 */
export async function stopHttpApp(
  app: NestFastifyApplication,
  logger: LoggerService,
  finishWithinMs = FINISH_WITHIN_MS,
): Promise<void> {
  const server = app.getHttpServer();
  const left = await app.get(Drain).start(finishWithinMs);
  if (left > 0) {
    logger.warn(`${left} requests were still running after ${finishWithinMs / 1000} s and are cut off.`, 'Stop');
    server.closeAllConnections();
  }
  await app.close();
}

/**
 * Closes all connections before the server waits for their end. Node takes a connection for busy until a request has come whole on it, and
 * a server that closes times none out: a caller who sends nothing would hold up the stop for `SILENT_MS`, and for ever with a byte now and
 * then. Only the requests that run are waited for, once: a stop has done so before.
 */
function closeLeftConnections(fastify: FastifyInstance, drain: Drain): void {
  fastify.addHook('preClose', async () => {
    if (!drain.isDraining) await drain.start(FINISH_WITHIN_MS);
    fastify.server.close();
    fastify.server.closeAllConnections();
  });
}

type TracedRequest = FastifyRequest & { traceId: string };

/** Numbers, counts and logs every request, and turns new ones away once the process is about to stop. */
function watchRequests(fastify: FastifyInstance, drain: Drain): void {
  const accessLog = new AccessLog();
  fastify.addHook('onRequest', (request, reply, done) => {
    const startedAt = performance.now();
    (request as TracedRequest).traceId = traceIdFrom(request.headers.traceparent);
    // Those that come later are answered at once, and must not hold up the stop by coming again and again.
    const isAwaited = !drain.isDraining;
    if (isAwaited) drain.begin();
    onReplyEnd(request.raw, reply.raw, () => {
      if (isAwaited) drain.end();
      const ms = performance.now() - startedAt;
      observeRequest(request.method, request.routeOptions.url, reply.raw.statusCode, ms);
      accessLog.write(accessOf(request, reply, ms));
    });
    setDefaultHeaders(request, reply);
    // The read makes Node remember the client's address, which the system knows only while the connection exists.
    if (request.raw.socket.remoteAddress === undefined) return done(goneError());
    const isHealth = HEALTH_ROUTES.includes(request.routeOptions.url ?? '');
    done(drain.isDraining && !isHealth ? stoppingError() : undefined);
  });
}

/** @param route its pattern; a request that no route takes has none */
function observeRequest(method: string, route: string | undefined, status: number, ms: number): void {
  const labels = {
    route: route ?? 'none',
    method: COUNTED_METHODS.has(method) ? method : 'other',
    status: `${Math.floor(status / 100)}xx`,
  };
  requestDuration.observe(labels, ms / 1000);
}

/** No caller reads it: the connection was closed before the first look at the request. */
function goneError(): AppError {
  return new AppError('malformed_header', { message: 'The connection has no other end.' });
}

/**
 * The headers are set on the raw response, because they must reach replies that bypass Fastify too; a handler's own
 * `reply.header` wins.
 */
function setDefaultHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.raw.setHeader('X-Request-Id', request.id);
  reply.raw.setHeader('Cache-Control', 'no-store');
  if (request.routeOptions.url?.startsWith('/docs')) reply.raw.setHeader('Content-Security-Policy', PAGE_POLICY);
}

function accessOf(request: FastifyRequest, { raw }: FastifyReply, ms: number): Parameters<AccessLog['write']>[0] {
  const { principal } = request as FastifyRequest & { principal?: { keyId: string } };
  return {
    method: request.method,
    route: request.routeOptions.url ?? null,
    status: raw.statusCode,
    ms: Math.round(ms),
    request_id: request.id,
    trace_id: (request as TracedRequest).traceId,
    key_id: principal?.keyId ?? null,
    aborted: !raw.writableFinished,
  };
}

/** The library that serves files fails on a NUL in a path. */
function refuseNulInFiles(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    done(request.url.includes('%00') && namesNulInFile(request.url) ? new AppError('not_found') : undefined);
  });
}

function namesNulInFile(url: string): boolean {
  const [path = ''] = url.split('?', 1);
  return /^\/(docs|console)/.test(path) && path.includes('%00');
}

/**
 * A URL that the router can decode: where a path has what no decoding knows (`%zz`, `%ff`), all but its escapes of ASCII is the text itself.
 * The router answers others before anybody asks for a key, and behind the key they are only ids that nobody has.
 */
function decodable(url: string): string {
  const path = /^[^?#]*/.exec(url)![0];
  if (!path.includes('%')) return url;
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.replace(/%(?![0-7][\da-f])/gi, '%25') + url.slice(path.length);
  }
}

/** Connections whose refusal is under way: Node tells of each further piece that comes on them. */
const refused = new WeakSet<Socket>();

/**
 * Answers input that is not HTTP or comes too late. There may be no request to reply to, so the reply is written to the socket. The connection
 * is read on for a while, since a close with input unread would take the reply from the client.
 */
function refuseConnection(error: string, socket: Socket): void {
  if (refused.has(socket)) return;
  refused.add(socket);
  const { _httpMessage: begun } = socket as Socket & { _httpMessage?: ServerResponse | null };
  // A refusal in the middle of a reply would look like a part of that reply.
  if (!socket.writable || begun?.headersSent) return void socket.destroy();
  socket.end(rawReply(new AppError(error === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'malformed_header')));
  setTimeout(() => socket.destroy(), READ_REFUSAL_MS).unref();
}
