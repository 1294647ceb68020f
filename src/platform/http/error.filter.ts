import type { IncomingHttpHeaders } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ERROR_CATALOG } from '../errors/error-catalog.js';
import { counter } from '../metrics/metrics.js';
import { PAGE_POLICY, escaped, textPage } from './built-pages.js';
import { errorReply, toAppError } from '../errors/error-reply.js';

const errors = counter('mailsonde_http_errors_total', 'Errors answered, by their code (docs/errors.md).', ['code']);

/**
 * Answers errors of every origin with the body of all errors (docs/errors.md), or a person who is lost with a page; no other code logs
 * faults of ours.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Request');

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    if (isLeftFile(thrown, request)) return;
    const error = toAppError(thrown);
    const [status] = ERROR_CATALOG[error.code];
    errors.inc({ code: error.code });
    if (status >= 500 && error.details.cause !== undefined) this.log(request, status, error.details.cause);
    if (reply.sent || reply.raw.headersSent) {
      // The reply has begun, so only its connection can be cut: a caller must not take half of it for the whole.
      reply.raw.destroy();
      return;
    }
    const answer = errorReply(error, request.id, request.headers.authorization !== undefined);
    const { Link: help, ...headers } = answer.headers;
    // Beside other links that the reply may have, such as that of a deprecation.
    if (help !== undefined) reply.raw.appendHeader('Link', help);
    void reply.status(answer.status).headers(headers);
    if (error.code === 'not_found' && wantsPage(request)) {
      void reply
        .headers({ Vary: 'Accept', 'Content-Security-Policy': PAGE_POLICY })
        .type('text/html; charset=utf-8')
        .send(notFoundPage(request.url, request.id));
      return;
    }
    void reply.send(answer.body);
  }

  private log(request: FastifyRequest, status: number, cause: unknown): void {
    const { traceId } = request as FastifyRequest & { traceId?: string };
    const route = request.routeOptions.url ?? null;
    const params = { status, method: request.method, route, request_id: request.id, trace_id: traceId };
    this.logger.error(cause instanceof Error ? cause : new Error('A value that is no error was thrown.'), params);
  }
}

/**
 * Whether a caller has gone before the first byte of a file. Fastify (5.12, `sendStream` of its reply.js) closes the file then, and where
 * the connection is destroyed but its end not told yet, it takes that for an error and asks for an answer to it, which nobody would get.
 * The access log tells that the request was aborted.
 */
function isLeftFile(thrown: unknown, { raw }: FastifyRequest): boolean {
  return raw.socket.destroyed && (thrown as NodeJS.ErrnoException | null)?.code === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** Where programs ask, which read the body of all errors. */
const FOR_PROGRAMS = /^\/(api|admin|agent-gateway|mcp|\.well-known)(\/|$|\?)|\.(json|txt|md|xml)($|\?)/;
const MAX_SHOWN = 200;

interface RequestedRoute {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** Whether a person looks for a page that is not there: a browser asks for one by its address line or a link. */
export function wantsPage({ method, url, headers }: RequestedRoute): boolean {
  const isNavigation = method === 'GET' && /^text\/html\b/.test(headers.accept ?? '');
  return isNavigation && headers.authorization === undefined && !FOR_PROGRAMS.test(url);
}

function notFoundPage(url: string, requestId: string): string {
  const shown = url.length > MAX_SHOWN ? `${url.slice(0, MAX_SHOWN)}…` : url;
  return textPage({
    title: 'There is no such page',
    html: `<h1>There is no such page</h1>
<p><code>${escaped(shown)}</code> leads nowhere. These do:</p>
<ul>
<li><a href="/">What this is</a>, with an address to try</li>
<li><a href="/console">The console</a></li>
<li><a href="/docs/guides">The guides</a> and <a href="/docs">the API reference</a></li>
<li><a href="/llms.txt">llms.txt</a>, for models</li>
</ul>
<p>Request <code>${escaped(requestId)}</code></p>`,
  });
}
