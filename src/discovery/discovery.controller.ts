import { Controller, Get, Headers, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { AnyQuery } from '../platform/http/known-query.interceptor.js';
import { Public } from '../platform/http/public.decorator.js';
import { type DocumentName, DocumentsService } from './documents.service.js';

/* Documents change with a release at most; five minutes keep a crawler from asking twice and a mistake from staying. */
const CACHE_CONTROL = 'public, max-age=300';

/** What the service tells of itself to whoever has never heard of it. */
@Public()
@AnyQuery()
@ApiExcludeController()
@Controller()
export class DiscoveryController {
  constructor(private readonly documents: DocumentsService) {}

  @Get('.well-known/mcp.json')
  serverCard(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    this.send('server-card', known, reply);
  }

  @Get('.well-known/agent.json')
  agentCard(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    this.send('agent-card', known, reply);
  }

  @Get('llms.txt')
  llmsText(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    this.send('llms-text', known, reply);
  }

  @Get('agent-gateway/openapi.json')
  agentInterface(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    this.send('agent-interface', known, reply);
  }

  @Get('api/v1/openapi.json')
  fullInterface(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    this.send('full-interface', known, reply);
  }

  private send(name: DocumentName, known: string | undefined, reply: FastifyReply): void {
    const { type, text, tag } = this.documents.get(name);
    void reply.headers({ ETag: tag, 'Cache-Control': CACHE_CONTROL });
    if (isKnown(known, tag)) void reply.status(304).send();
    else void reply.type(type).send(text);
  }
}

/** RFC 9110 section 13.1.2, compared weakly. */
function isKnown(known: string | undefined, tag: string): boolean {
  if (known === undefined) return false;
  return known.trim() === '*' || known.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
}
