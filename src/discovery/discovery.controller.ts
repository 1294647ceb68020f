import { createHash } from 'node:crypto';
import { Controller, Get, Headers, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../platform/http/public.decorator.js';
import { OpenApiDocuments } from './openapi-documents.service.js';

/* Documents change with a release at most; five minutes keep a crawler from asking twice and a mistake from staying. */
const CACHE_CONTROL = 'public, max-age=300';

/** What the service tells of itself to whoever has never heard of it. */
@Public()
@ApiExcludeController()
@Controller()
export class DiscoveryController {
  constructor(private readonly documents: OpenApiDocuments) {}

  @Get('agent-gateway/openapi.json')
  agentInterface(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    sendJson(reply, known, this.documents.get('agent'));
  }

  @Get('api/v1/openapi.json')
  fullInterface(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    sendJson(reply, known, this.documents.get('full'));
  }
}

function sendJson(reply: FastifyReply, known: string | undefined, document: object): void {
  send(reply, known, 'application/json; charset=utf-8', JSON.stringify(document));
}

function send(reply: FastifyReply, known: string | undefined, type: string, body: string): void {
  const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  void reply.headers({ ETag: tag, 'Cache-Control': CACHE_CONTROL });
  if (isKnown(known, tag)) void reply.status(304).send();
  else void reply.type(type).send(body);
}

/** RFC 9110 section 13.1.2, compared weakly. */
function isKnown(known: string | undefined, tag: string): boolean {
  if (known === undefined) return false;
  return known.trim() === '*' || known.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
}
