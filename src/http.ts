import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { DynamicModule, LoggerService, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import { ARRIVAL_TIMES, type ArrivalTimes, keepConnections, receiveBodies, receiveBody } from './http-bodies.js';
import type { Env } from './platform/config/env.js';
import { AppError } from './platform/errors/app-error.js';
import { ErrorFilter } from './platform/errors/error.filter.js';
import { errorReply } from './platform/errors/fault.js';
import { DrainInterceptor } from './platform/health/drain.interceptor.js';
import { Drain } from './platform/health/drain.js';
import { stoppingError } from './platform/health/health.controller.js';
import { InputPipe } from './platform/http/input.pipe.js';
import { rawReply } from './platform/http/raw-reply.js';
import { onReplyEnd } from './platform/http/reply-end.js';
import { requestIdFrom } from './platform/http/request-id.js';
import { RouteMethods } from './platform/http/route-methods.js';
import { AccessLog } from './platform/logging/access-log.js';

/* One verification or 25 addresses fit a hundred times; what takes more (batches of full accounts) streams by itself. */
const BODY_LIMIT_BYTES = 1_048_576;

/* Orchestrators kill after 30 s; what is left of it belongs to jobs, pools and embedded servers. */
const FINISH_WITHIN_MS = 25_000;

/* How long who sent no HTTP may take to read that: closing at once resets the connection of who still sends. */
const READ_REFUSAL_MS = 2_000;

/* Longer than `timeout_ms` may be. A connection on which nothing moves either way, as of a client that reads no reply, is closed then. */
const SILENT_MS = 120_000;

const HEALTH_ROUTES = ['/healthz', '/readyz'];

/** Swagger UI is the only page here that a browser runs; everything else is data. */
const PAGE_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; object-src 'none'";

/** An application that answers as the contract says: every status, header and body of the edge. Not initialised yet. */
export async function createHttpApp(
  module: Type | DynamicModule,
  env: Pick<Env, 'trustedProxies'>,
  logger: LoggerService | false,
  times = ARRIVAL_TIMES,
): Promise<NestFastifyApplication> {
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
    genReqId: (request) => requestIdFrom(request.headers['x-request-id']),
    // While draining our own hook answers, with the contract's body.
    return503OnClosing: false,
    frameworkErrors: (_, request, reply) => {
      receiveBody(request, reply, times);
      answerUnroutable(request, reply);
    },
    clientErrorHandler: (error, socket) => refuseConnection(error.code, socket),
  };
  const adapter = new FastifyAdapter(options);
  receiveBodies(adapter.getInstance(), times);
  return adapter;
}

/** Everything between Fastify and the rooms. */
export function configureHttp(app: NestFastifyApplication): void {
  app.useSecurityHeaders({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: "'none'", frameAncestors: "'none'" } },
    xFrameOptions: { action: 'deny' },
  });
  app.useGlobalPipes(new InputPipe());
  app.useGlobalFilters(new ErrorFilter());
  const drain = app.get(Drain);
  app.useGlobalInterceptors(new DrainInterceptor(drain));
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  watchRequests(fastify, drain);
  keepConnections(fastify, () => !drain.isDraining);
  refuseNulInDocs(fastify);
  refuseOtherMethods(fastify);
}

/** Rooms close their pools only when the requests that use them have ended, so those are waited for first. */
export async function stopHttpApp(
  app: NestFastifyApplication,
  logger: LoggerService,
  finishWithinMs = FINISH_WITHIN_MS,
): Promise<void> {
  const server = app.getHttpServer();
  const finished = app.get(Drain).start(finishWithinMs);
  server.close();
  const left = await finished;
  if (left > 0) {
    logger.warn(`${left} requests were still running after ${finishWithinMs / 1000} s and are cut off.`, 'Stop');
    server.closeAllConnections();
  }
  await app.close();
}

/** Numbers, counts and logs every request, and turns new ones away once the process is about to stop. */
function watchRequests(fastify: FastifyInstance, drain: Drain): void {
  const accessLog = new AccessLog();
  fastify.addHook('onRequest', (request, reply, done) => {
    const startedAt = performance.now();
    drain.begin();
    onReplyEnd(request.raw, reply.raw, () => {
      drain.end();
      accessLog.write(accessOf(request, reply, performance.now() - startedAt));
    });
    setDefaultHeaders(request, reply);
    // Known to the system only while the connection is there; Node keeps it once it was asked.
    if (request.raw.socket.remoteAddress === undefined) return done(goneError());
    const isHealth = HEALTH_ROUTES.includes(request.routeOptions.url ?? '');
    done(drain.isDraining && !isHealth ? stoppingError() : undefined);
  });
}

/** Nobody reads it: the caller was gone before the first look at the request. */
function goneError(): AppError {
  return new AppError('malformed_header', { message: 'The connection has no other end.' });
}

/** On the raw response, where they reach replies that bypass Fastify too; a handler's own `reply.header` wins. */
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
    key_id: principal?.keyId ?? null,
    aborted: !raw.writableFinished,
  };
}

/** The library that serves the files of `/docs` falls over a NUL in a path. */
function refuseNulInDocs(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const [path = ''] = request.url.split('?', 1);
    done(path.startsWith('/docs') && path.includes('%00') ? new AppError('not_found') : undefined);
  });
}

/** 405 with `Allow` where the path is known with another method. */
function refuseOtherMethods(fastify: FastifyInstance): void {
  const methods = new RouteMethods();
  fastify.addHook('onRoute', (route) => methods.add(route.url, route.method));
  fastify.addHook('onRequest', (request, _reply, done) => {
    const allowed = request.is404 ? methods.of(request.url) : [];
    done(
      allowed.length > 0 ? new AppError('method_not_allowed', { headers: { Allow: allowed.join(', ') } }) : undefined,
    );
  });
}

/** A URL that cannot be decoded, or a parameter longer than any id: no route of ours. No hook runs for these. */
function answerUnroutable(request: FastifyRequest, reply: FastifyReply): void {
  const { status, body } = errorReply(new AppError('not_found'), request.id, false);
  setDefaultHeaders(request, reply);
  void reply
    .status(status)
    .headers({
      'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
      'X-Content-Type-Options': 'nosniff',
    })
    .send(body);
}

/** Something came that is not HTTP, or not in time: there may be no request to hang a reply on, so it is written by hand. */
function refuseConnection(error: string, socket: Socket): void {
  const { _httpMessage: begun } = socket as Socket & { _httpMessage?: ServerResponse | null };
  // Within a reply the caller would take it for a part of that reply.
  if (!socket.writable || begun?.headersSent) return void socket.destroy();
  socket.end(rawReply(new AppError(error === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'malformed_header')));
  setTimeout(() => socket.destroy(), READ_REFUSAL_MS).unref();
}
