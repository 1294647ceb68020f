import { Inject, Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { type McpDescription, McpServerService } from '../mcp/mcp-server.service.js';
import { ENV, type Env } from '../platform/config/env.js';
import { KEY_POLICIES, type KeyPolicies, type KeyPolicy } from '../platform/config/policies.js';
import { changelogPage } from './changelog.js';
import { aiCatalog, apiCatalog, AI_CATALOG, API_CATALOG } from './catalogs.js';
import { agentCard, agentDescription, serverDescription } from './cards.js';
import { interfaceDocument } from './openapi/interface-document.js';
import { type InterfaceName, interfacesOf } from './openapi/operations.js';
import { llmsText } from './llms-text.js';
import { mcpServerCard, registryEntry, SERVER_CARD } from './mcp-server-card.js';
import { readTexts } from './openapi/reply-examples.js';
import { serviceIndex } from './service-index.js';
import { skillIndex, skillText, SKILL_PATH } from './skill.js';
import { type ServedDocument, servedDocument } from './send-document.js';

/** How a document is made of what serves, and its media type where it is not plain JSON. */
interface Recipe {
  readonly type?: string;
  readonly make: (from: Sources) => object | string;
}

/** What documents are made of. */
interface Sources {
  readonly url: string;
  readonly agent: KeyPolicy;
  readonly mcp: McpDescription;
  readonly interfaceOf: (name: InterfaceName) => OpenAPIObject;
  readonly skill: string;
}

const DOCUMENTS = {
  index: { make: ({ url, agent }) => serviceIndex(url, agent) },
  'server-description': { make: ({ mcp, url }) => serverDescription(mcp, url) },
  'server-card': { type: 'application/mcp-server-card+json', make: ({ mcp, url }) => mcpServerCard(mcp, url) },
  'registry-entry': { make: ({ mcp, url }) => registryEntry(mcp, url) },
  'agent-description': { make: ({ mcp, url, agent }) => agentDescription(mcp, url, agent) },
  'agent-card': { make: ({ mcp, url, agent }) => agentCard(mcp, url, agent) },
  'ai-catalog': { type: 'application/ai-catalog+json', make: ({ url }) => aiCatalog(url) },
  'api-catalog': {
    // RFC 9727 section 4.2.
    type: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    make: ({ url }) => apiCatalog(url),
  },
  'skill-index': { make: ({ skill }) => skillIndex(skill) },
  skill: { type: 'text/markdown; charset=utf-8', make: ({ skill }) => skill },
  'llms-text': {
    type: 'text/plain; charset=utf-8',
    make: ({ mcp, interfaceOf, url, agent }) => llmsText(mcp, interfaceOf('agent'), url, agent),
  },
  'agent-interface': { make: ({ interfaceOf }) => interfaceOf('agent') },
  'full-interface': { make: ({ interfaceOf }) => interfaceOf('full') },
  'admin-interface': { make: ({ interfaceOf }) => interfaceOf('admin') },
  changelog: { type: 'text/html; charset=utf-8', make: () => changelogPage() },
} as const satisfies Readonly<Record<string, Recipe>>;

export type DocumentName = keyof typeof DOCUMENTS;

/** The documents about the service. Each is made once, at its first request, from the modules that serve. */
@Injectable()
export class DocumentsService {
  private readonly served = new Map<DocumentName, ServedDocument>();
  private readonly interfaces = new Map<InterfaceName, OpenAPIObject>();
  private whole: OpenAPIObject | undefined;
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
    const { type, make }: Recipe = DOCUMENTS[name];
    const document = make(this.sources());
    const text = typeof document === 'string' ? document : JSON.stringify(document);
    const served = servedDocument(type ?? 'application/json; charset=utf-8', text);
    this.served.set(name, served);
    return served;
  }

  private sources(): Sources {
    const { publicUrl: url } = this.env;
    const { agent } = this.policies;
    const { mcp } = this;
    return {
      url,
      agent,
      // Most documents need no tools, whose schemas take a while to make.
      get mcp() {
        return mcp.describe();
      },
      interfaceOf: (name) => this.interfaceOf(name),
      skill: skillText(url, agent),
    };
  }

  private interfaceOf(name: InterfaceName): OpenAPIObject {
    const known = this.interfaces.get(name);
    if (known !== undefined) return known;
    const all = interfacesOf(this.policies);
    this.whole ??= this.readAll();
    const document = interfaceDocument(this.whole, all[name], readTexts(), this.env.publicUrl);
    this.interfaces.set(name, document);
    // Nobody asks for it any more, and it is as large as all interfaces together.
    if (this.interfaces.size === Object.keys(all).length) this.whole = undefined;
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
