import type { DynamicModule, LoggerService, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import type { Env } from './platform/config/env.js';
import { AppError } from './platform/errors/app-error.js';
import { ErrorFilter } from './platform/errors/error.filter.js';
import { errorReply } from './platform/errors/fault.js';
import { DrainInterceptor } from './platform/health/drain.interceptor.js';
import { Drain } from './platform/health/drain.js';
import { stoppingError } from './platform/health/health.controller.js';
import { InputPipe } from './platform/http/input.pipe.js';
import { rawReply } from './platform/http/raw-reply.js';
import { requestIdFrom } from './platform/http/request-id.js';
import type { StreamedRequest } from './platform/http/streamed-request.js';
import { RouteMethods } from './platform/http/route-methods.js';
import { UnreadableBody } from './platform/http/unreadable-body.js';
import { AccessLog } from './platform/logging/access-log.js';

/* One verification or 25 addresses fit a hundred times; what takes more (batches of full accounts) streams by itself. */
const BODY_LIMIT_BYTES = 1_048_576;

/* The time to receive a whole request: a million addresses (34 MB) over 1 Mbit/s. Without one, a slow sender holds a socket for ever. */
const REQUEST_TIMEOUT_MS = 300_000;

/* Orchestrators kill after 30 s; what is left of it belongs to jobs, pools and embedded servers. */
const FINISH_WITHIN_MS = 25_000;

/* Stands for any type where a route reads the body itself. */
const STREAMED = 'application/vnd.mailsonde.streamed';

const HEALTH_ROUTES = ['/healthz', '/readyz'];

/** Swagger UI is the only page here that a browser runs; everything else is data. */
const PAGE_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; object-src 'none'";

/** An application that answers as the contract says: every status, header and body of the edge. Not initialised yet. */
export async function createHttpApp(
  module: Type | DynamicModule,
  env: Pick<Env, 'trustedProxies'>,
  logger: LoggerService | false,
): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(module, createFastifyAdapter(env), {
    logger,
    abortOnError: false,
    bodyParser: false,
    routeConflictPolicy: { duplicate: 'error', shadow: 'error' },
  });
  configureHttp(app);
  return app;
}

/** Fastify as the edge needs it, before Nest adds its routes. */
export function createFastifyAdapter({ trustedProxies }: Pick<Env, 'trustedProxies'>): FastifyAdapter {
  const options: FastifyServerOptions = {
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    requestIdHeader: false,
    genReqId: (request) => requestIdFrom(request.headers['x-request-id']),
    // While draining our own hook answers, with the contract's body.
    return503OnClosing: false,
    frameworkErrors: (_, request, reply) => answerUnroutable(request, reply),
    clientErrorHandler: (_, socket) => {
      // Something came that is not HTTP: there is no request to hang a reply on.
      if (socket.writable) socket.end(rawReply(new AppError('malformed_header')));
    },
  };
  const adapter = new FastifyAdapter(options);
  addBodyParsers(adapter.getInstance());
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

function addBodyParsers(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  const parseJson = fastify.getDefaultJsonParser('error', 'error');
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text: string, done) => {
    // An empty body is none: clients that always name a content type may have nothing to send.
    if (text.trim() === '') return done(null, undefined);
    void parseJson(request, text, (error, value) => {
      done(null, error ? new UnreadableBody(new AppError('malformed_json', { cause: error })) : value);
    });
  });
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body: Buffer, done) => {
    done(null, body.length === 0 ? undefined : new UnreadableBody(new AppError('unsupported_media_type')));
  });
  leaveStreams(fastify);
}

/** A route with `@RouteConfig({ streamsBody: true })` reads its body itself, of whatever type: nothing collects it before. */
function leaveStreams(fastify: FastifyInstance): void {
  fastify.addContentTypeParser(STREAMED, (_, payload, done) => done(null, payload));
  fastify.addHook('preParsing', (request, _reply, payload, done) => {
    const { streamsBody } = request.routeOptions.config as { streamsBody?: boolean };
    if (streamsBody) {
      const { headers } = request.raw;
      (request as FastifyRequest & StreamedRequest).sentContentType = headers['content-type'] ?? '';
      headers['content-type'] = STREAMED;
    }
    done(null, payload);
  });
}

/** Numbers, counts and logs every request, and turns new ones away once the process is about to stop. */
function watchRequests(fastify: FastifyInstance, drain: Drain): void {
  const accessLog = new AccessLog();
  fastify.addHook('onRequest', (request, reply, done) => {
    const startedAt = performance.now();
    drain.begin();
    reply.raw.once('close', () => {
      drain.end();
      accessLog.write(accessOf(request, reply, performance.now() - startedAt));
    });
    setDefaultHeaders(request, reply);
    const isHealth = HEALTH_ROUTES.includes(request.routeOptions.url ?? '');
    done(drain.isDraining && !isHealth ? stoppingError() : undefined);
  });
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    if (drain.isDraining) void reply.header('Connection', 'close');
    done();
  });
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
