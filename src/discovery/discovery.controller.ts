import { Controller, Get, Headers, Redirect, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { RequireAdmin } from '../keys/access/audience.js';
import { AnyQuery } from '../platform/http/known-query.interceptor.js';
import { Public } from '../platform/http/public.decorator.js';
import { DocumentsService } from './documents/documents.service.js';
import { API_CATALOG } from './documents/api-catalog.js';
import { SKILL_PATH } from './documents/skill.js';
import { sendDocument } from './documents/send-document.js';

export const ADMIN_INTERFACE = '/admin/v1/openapi.json';

/** Serves the documents by which strangers get to know the service. */
@Public()
@AnyQuery()
@ApiExcludeController()
@Controller()
export class DiscoveryController {
  constructor(private readonly documents: DocumentsService) {}

  @Get('.well-known/mcp.json')
  serverCard(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    sendDocument(this.documents.get('server-card'), known, reply);
  }

  @Get('.well-known/agent.json')
  agentCard(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    sendDocument(this.documents.get('agent-card'), known, reply);
  }

  @Get('.well-known/agent-skills/index.json')
  skillIndex(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    sendDocument(this.documents.get('skill-index'), known, reply);
  }

  @Get(SKILL_PATH)
  skill(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    sendDocument(this.documents.get('skill'), known, reply);
  }

  @Get(API_CATALOG)
  apiCatalog(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    // RFC 9727 section 2: whoever asks for the head alone finds the catalog by the link.
    void reply.header('Link', `<${API_CATALOG}>; rel="api-catalog"`);
    sendDocument(this.documents.get('api-catalog'), known, reply);
  }

  /** Where strangers look first. */
  @Get('openapi.json')
  @Redirect('/agent-gateway/openapi.json', 308)
  openApi(): void {}

  @Get('llms.txt')
  llmsText(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    sendDocument(this.documents.get('llms-text'), known, reply);
  }

  @Get('agent-gateway/openapi.json')
  agentInterface(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    sendDocument(this.documents.get('agent-interface'), known, reply);
  }

  @Get('api/v1/openapi.json')
  fullInterface(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    sendDocument(this.documents.get('full-interface'), known, reply);
  }
}

/** The document of the administrators' interface is for them alone. */
@RequireAdmin()
@AnyQuery()
@ApiExcludeController()
@Controller()
export class AdminDiscoveryController {
  constructor(private readonly documents: DocumentsService) {}

  @Get(ADMIN_INTERFACE)
  adminInterface(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    sendDocument(this.documents.get('admin-interface'), known, reply, 'private, max-age=300');
  }
}
