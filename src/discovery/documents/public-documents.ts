import { AI_CATALOG } from './ai-catalog.js';
import { API_CATALOG } from './api-catalog.js';
import type { DocumentName } from './documents.service.js';
import { SERVER_CARD } from './mcp-server-card.js';
import { SKILL_PATH } from './skill.js';

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
