import { Inject, Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { McpServerService } from '../../mcp/mcp-server.service.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { KEY_POLICIES, type KeyPolicies } from '../../platform/config/policies.js';
import { changelogData, changelogFeed, changelogPage, readChangelog } from '../changelog/changelog.js';
import { apiCatalog } from './api-catalog.js';
import { agentCard, serverCard } from './cards.js';
import { interfaceDocument } from '../interface-document.js';
import { type InterfaceName, interfacesOf } from '../interfaces.js';
import { llmsText } from './llms-text.js';
import { readReplyExamples } from '../reply-examples.js';
import { skillIndex, skillText } from './skill.js';
import { type ServedDocument, servedDocument } from './send-document.js';

export type DocumentName =
  | 'server-card'
  | 'agent-card'
  | 'api-catalog'
  | 'skill-index'
  | 'skill'
  | 'llms-text'
  | 'agent-interface'
  | 'full-interface'
  | 'admin-interface'
  | 'changelog'
  | 'changelog-page'
  | 'changelog-feed';

/** Of those that are no JSON. */
const TEXT_TYPES: Partial<Record<DocumentName, string>> = {
  'llms-text': 'text/plain',
  skill: 'text/markdown',
  'changelog-page': 'text/html',
  'changelog-feed': 'application/atom+xml',
};

/** RFC 9727 section 4.2. */
const LINKSET = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

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
    const type = name === 'api-catalog' ? LINKSET : `${TEXT_TYPES[name] ?? 'application/json'}; charset=utf-8`;
    const served = servedDocument(type, text);
    this.served.set(name, served);
    return served;
  }

  private make(name: DocumentName): object | string {
    const { publicUrl } = this.env;
    const { agent } = this.policies;
    switch (name) {
      case 'server-card':
        return serverCard(this.mcp.describe(), publicUrl);
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
        return changelogData(readChangelog(), publicUrl);
      case 'changelog-page':
        return changelogPage(readChangelog());
      case 'changelog-feed':
        return changelogFeed(readChangelog(), publicUrl);
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
