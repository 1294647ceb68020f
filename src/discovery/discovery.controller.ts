import { Controller, Get, Headers, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { RequireAdmin } from '../keys/audience.js';
import { AnyQuery } from '../platform/http/known-query.interceptor.js';
import { Public } from '../platform/http/public.decorator.js';
import { DocumentsService, type ServedDocument } from './documents.service.js';

/* Documents change with a release at most; five minutes keep a crawler from asking twice and a mistake from staying. */
const CACHE_CONTROL = 'public, max-age=300';

export const ADMIN_INTERFACE = '/admin/v1/openapi.json';

/** What the service tells of itself to whoever has never heard of it. */
@Public()
@AnyQuery()
@ApiExcludeController()
@Controller()
export class DiscoveryController {
  constructor(private readonly documents: DocumentsService) {}

  @Get('.well-known/mcp.json')
  serverCard(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    send(this.documents.get('server-card'), known, reply);
  }

  @Get('.well-known/agent.json')
  agentCard(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    send(this.documents.get('agent-card'), known, reply);
  }

  @Get('llms.txt')
  llmsText(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    send(this.documents.get('llms-text'), known, reply);
  }

  @Get('agent-gateway/openapi.json')
  agentInterface(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    send(this.documents.get('agent-interface'), known, reply);
  }

  @Get('api/v1/openapi.json')
  fullInterface(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    send(this.documents.get('full-interface'), known, reply);
  }
}

/** The document of what only administrators reach is for them alone. */
@RequireAdmin()
@AnyQuery()
@ApiExcludeController()
@Controller()
export class AdminDiscoveryController {
  constructor(private readonly documents: DocumentsService) {}

  @Get(ADMIN_INTERFACE)
  adminInterface(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    send(this.documents.get('admin-interface'), known, reply, 'private, max-age=300');
  }
}

function send(
  { type, text, tag }: ServedDocument,
  known: string | undefined,
  reply: FastifyReply,
  cacheControl = CACHE_CONTROL,
): void {
  void reply.headers({ ETag: tag, 'Cache-Control': cacheControl });
  if (isKnown(known, tag)) void reply.status(304).send();
  else void reply.type(type).send(text);
}

/** RFC 9110 section 13.1.2, compared weakly. */
function isKnown(known: string | undefined, tag: string): boolean {
  if (known === undefined) return false;
  return known.trim() === '*' || known.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
}
