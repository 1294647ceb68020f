import { Inject, Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { McpServerService } from '../mcp/mcp-server.service.js';
import { ENV, type Env } from '../platform/config/env.js';
import { KEY_POLICIES, type KeyPolicies } from '../platform/config/policies.js';
import { changelogPage } from './changelog.js';
import { aiCatalog, apiCatalog, AI_CATALOG, API_CATALOG } from './catalogs.js';
import { agentCard, agentDescription, serverDescription } from './cards.js';
import { interfaceDocument } from './openapi/interface-document.js';
import { type InterfaceName, interfacesOf } from './openapi/operations.js';
import { llmsText } from './llms-text.js';
import { mcpServerCard, registryEntry, SERVER_CARD } from './mcp-server-card.js';
import { readReplyExamples } from './openapi/reply-examples.js';
import { serviceIndex } from './service-index.js';
import { skillIndex, skillText, SKILL_PATH } from './skill.js';
import { type ServedDocument, servedDocument } from './send-document.js';

export type DocumentName =
  | 'index'
  | 'server-description'
  | 'server-card'
  | 'registry-entry'
  | 'agent-description'
  | 'agent-card'
  | 'ai-catalog'
  | 'api-catalog'
  | 'skill-index'
  | 'skill'
  | 'llms-text'
  | 'agent-interface'
  | 'full-interface'
  | 'admin-interface'
  | 'changelog';

/** Of those that are not plain JSON. */
const TYPES: Partial<Record<DocumentName, string>> = {
  'server-card': 'application/mcp-server-card+json',
  'ai-catalog': 'application/ai-catalog+json',
  // RFC 9727 section 4.2.
  'api-catalog': 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  'llms-text': 'text/plain; charset=utf-8',
  skill: 'text/markdown; charset=utf-8',
  changelog: 'text/html; charset=utf-8',
};

/** The documents about the service. Each is made once, at its first request, from the modules that serve. */
@Injectable()
export class DocumentsService {
  private readonly served = new Map<DocumentName, ServedDocument>();
  private readonly interfaces = new Map<InterfaceName, OpenAPIObject>();
  private readAll: () => OpenAPIObject = () => {
    throw new Error('nothing has been described yet');
  };

  constructor(
    private readonly mcp: McpServerService,
    @Inject(KEY_POLICIES) private readonly policies: KeyPolicies,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /** @param readAll makes the OpenAPI document of all modules that serve */
  describe(readAll: () => OpenAPIObject): void {
    this.readAll = readAll;
  }

  get(name: DocumentName): ServedDocument {
    const known = this.served.get(name);
    if (known !== undefined) return known;
    const document = this.make(name);
    const text = typeof document === 'string' ? document : JSON.stringify(document);
    const served = servedDocument(TYPES[name] ?? 'application/json; charset=utf-8', text);
    this.served.set(name, served);
    return served;
  }

  private make(name: DocumentName): object | string {
    const { publicUrl } = this.env;
    const { agent } = this.policies;
    switch (name) {
      case 'index':
        return serviceIndex(publicUrl, agent);
      case 'server-description':
        return serverDescription(this.mcp.describe(), publicUrl);
      case 'server-card':
        return mcpServerCard(this.mcp.describe(), publicUrl);
      case 'registry-entry':
        return registryEntry(this.mcp.describe(), publicUrl);
      case 'agent-description':
        return agentDescription(this.mcp.describe(), publicUrl, agent);
      case 'ai-catalog':
        return aiCatalog(publicUrl);
      case 'agent-card':
        return agentCard(this.mcp.describe(), publicUrl, agent);
      case 'api-catalog':
        return apiCatalog(publicUrl);
      case 'skill-index':
        return skillIndex(this.get('skill').text);
      case 'skill':
        return skillText(publicUrl, agent);
      case 'llms-text':
        return llmsText(this.mcp.describe(), this.interfaceOf('agent'), publicUrl, agent);
      case 'agent-interface':
        return this.interfaceOf('agent');
      case 'full-interface':
        return this.interfaceOf('full');
      case 'admin-interface':
        return this.interfaceOf('admin');
      case 'changelog':
        return changelogPage();
    }
  }

  private interfaceOf(name: InterfaceName): OpenAPIObject {
    const known = this.interfaces.get(name);
    if (known !== undefined) return known;
    const one = interfacesOf(this.policies)[name];
    const document = interfaceDocument(this.readAll(), one, readReplyExamples(), this.env.publicUrl);
    this.interfaces.set(name, document);
    return document;
  }
}

/** By path what strangers look for first, without a key. */
export const PUBLIC_DOCUMENTS: Readonly<Record<string, DocumentName>> = {
  '/.well-known/mcp.json': 'server-description',
  '/.well-known/agent.json': 'agent-description',
  '/.well-known/agent-card.json': 'agent-card',
  [AI_CATALOG]: 'ai-catalog',
  '/.well-known/agent-skills/index.json': 'skill-index',
  [SKILL_PATH]: 'skill',
  [API_CATALOG]: 'api-catalog',
  [SERVER_CARD]: 'server-card',
  '/server.json': 'registry-entry',
  '/llms.txt': 'llms-text',
  '/agent-gateway/openapi.json': 'agent-interface',
  '/api/v1/openapi.json': 'full-interface',
};
