import { HttpCode, Inject, Ip, Post, Req, Res } from '@nestjs/common';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallerRequest } from '../keys/access/caller.js';
import { ENV, type Env } from '../platform/config/env.js';
import { UnreadableBody } from '../platform/http/json-body.js';
import { McpCallers, MCP_PATH } from './tools/mcp-caller.js';
import { McpServerService } from './mcp-server.service.js';
import { type MessageHeaders, readMessage } from './message.js';
import { messageFault, type MessageFault, REFUSED } from './protocol.js';
import { refuseOrigin } from './request-origin.js';
import { UnlistedRoutes } from '../platform/http/public.decorator.js';

/**
 * The Model Context Protocol over Streamable HTTP: one message a request, answered by one JSON document. Connecting needs no key,
 * so the global guards let everybody in; tools ask for one themselves.
 */
@UnlistedRoutes(MCP_PATH)
export class McpController {
  constructor(
    private readonly server: McpServerService,
    private readonly callers: McpCallers,
    @Inject(ENV) private readonly env: Env,
  ) {}

  @Post()
  @HttpCode(200)
  async receive(
    // The body is not taken by `@Body()`, because an unreadable one gets the answer of JSON-RPC.
    @Req() request: FastifyRequest & CallerRequest,
    @Res() reply: FastifyReply,
    @Ip() clientAddress: string,
  ): Promise<void> {
    const refusal = this.refuse(request) ?? unreadable(request.body);
    const read = refusal === null ? readMessage(request.body, headersOf(request)) : { fault: refusal };
    if ('fault' in read) return void reply.status(read.fault.status).send(read.fault.body);
    const trace = { id: request.traceId, requestId: request.id };
    const who = await this.callers.identify(request.headers.authorization, clientAddress, trace);
    if (who.principal !== null) request.principal = who.principal;
    const tell = (headers: Record<string, string | number>) => void reply.headers(headers);
    const caller = { ...who, clientAddress, requestId: request.id, tell };
    const response = await this.server.answer(read, caller);
    await send(reply, response);
  }

  private refuse({ host, headers }: FastifyRequest): MessageFault | null {
    const why = refuseOrigin(host, headers.origin, this.env.publicUrl);
    if (why === 'host')
      return messageFault(
        403,
        REFUSED,
        `This service is not known by this host name; PUBLIC_URL says ${this.env.publicUrl}.`,
      );
    if (why === 'origin') return messageFault(403, REFUSED, 'Requests from pages of other origins are refused.');
    if (!acceptsJson(headers.accept)) return messageFault(406, REFUSED, 'Accept must include application/json.');
    return null;
  }
}

/**
 * The protocol has clients accept JSON and event streams. The reply is always JSON, so every client that accepts JSON is served.
 * A request without the header accepts every type (RFC 9110 section 12.5.1).
 */
function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  return accept
    .toLowerCase()
    .split(',')
    .some((range) => /^\s*(application\/json|application\/\*|\*\/\*)\s*(;(?!\s*q=0(\.0*)?\s*$).*)?$/.test(range));
}

function unreadable(body: unknown): MessageFault | null {
  if (body === undefined) return messageFault(400, ErrorCode.ParseError, 'The body is empty.');
  if (!(body instanceof UnreadableBody)) return null;
  if (body.error.code === 'unsupported_media_type')
    return messageFault(415, REFUSED, 'Content-Type must be application/json.');
  return messageFault(400, ErrorCode.ParseError, 'The body is not JSON.');
}

function headersOf({ headers }: FastifyRequest): MessageHeaders {
  const told = (name: string) => headers[name]?.toString();
  return {
    version: told('mcp-protocol-version'),
    method: told('mcp-method'),
    name: told('mcp-name'),
    session: told('mcp-session-id'),
  };
}

async function send(reply: FastifyReply, response: Response): Promise<void> {
  const text = await response.text();
  void reply.status(response.status);
  if (text === '') void reply.send();
  else void reply.type('application/json; charset=utf-8').send(text);
}
