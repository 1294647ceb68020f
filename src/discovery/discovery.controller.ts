import { Controller, Get, Header, Headers, HttpCode, Options, Redirect, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { TakesKeysOf } from '../keys/route.decorator.js';
import { AnyQuery } from '../platform/http/input-checks.js';
import { type DocumentName, DocumentsService, PUBLIC_DOCUMENTS } from './documents.service.js';
import { API_CATALOG } from './catalogs.js';
import { SERVER_CARD } from './mcp-server-card.js';
import { sendDocument } from './send-document.js';
import { UnlistedRoutes } from '../platform/http/public.decorator.js';

export const ADMIN_INTERFACE = '/admin/v1/openapi.json';

const PATHS = Object.keys(PUBLIC_DOCUMENTS);

/** Serves the documents by which strangers get to know the service. */
@UnlistedRoutes()
export class DiscoveryController {
  constructor(private readonly documents: DocumentsService) {}

  @Get(PATHS)
  document(
    @Req() { routeOptions }: FastifyRequest,
    @Headers('if-none-match') known: string | undefined,
    @Res() reply: FastifyReply,
  ): void {
    const path = routeOptions.url as string;
    // RFC 9727 section 2: whoever asks for the head alone finds the catalog by the link.
    if (path === API_CATALOG) void reply.header('Link', `<${API_CATALOG}>; rel="api-catalog"`);
    sendDocument(this.documents.get(PUBLIC_DOCUMENTS[path] as DocumentName), known, reply);
  }

  /** A page of another origin may ask with the headers that clients of MCP send (Fetch standard, CORS-preflight). */
  @Options(PATHS)
  @HttpCode(204)
  @Header('Access-Control-Allow-Origin', '*')
  @Header('Access-Control-Allow-Methods', 'GET, HEAD')
  @Header('Access-Control-Allow-Headers', 'Accept, Content-Type, If-None-Match, MCP-Protocol-Version')
  @Header('Access-Control-Max-Age', '86400')
  preflight(): void {}

  /** Where strangers look first. */
  @Get('openapi.json')
  @Header('Access-Control-Allow-Origin', '*')
  @Redirect('/agent-gateway/openapi.json', 308)
  openApi(): void {}

  /** Where drafts of SEP-2127 had it, and many still look. */
  @Get('.well-known/mcp/server-card.json')
  @Header('Access-Control-Allow-Origin', '*')
  @Redirect(SERVER_CARD, 308)
  formerServerCard(): void {}
}

/** The document of the administrators' interface is for them alone. */
@AnyQuery()
@ApiExcludeController()
@Controller()
export class AdminDiscoveryController {
  constructor(private readonly documents: DocumentsService) {}

  @Get(ADMIN_INTERFACE)
  @TakesKeysOf('admin', { needs: ['read'] })
  adminInterface(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    sendDocument(this.documents.get('admin-interface'), known, reply, 'private, max-age=300');
  }
}
