import { claimUrl } from './claims.service.js';
import { quotaOf } from '../limits/rate-limits.js';
import type { AgentPolicy, AgentRegistration } from './registration.service.js';
import { field, Reply } from '../../platform/http/reply.js';

export class EndpointReply extends Reply({
  method: field.text({ example: 'POST' }),
  url: field.text({ format: 'uri-template', example: 'https://mailsonde.example/api/v1/verify/batch/{id}' }),
  body: field.optional(field.anyMembers('A body that it takes, as an example.')),
}) {}

class RequestRateReply extends Reply({
  requests: field.integer({ example: 10 }),
  window_seconds: field.integer({ example: 60, description: 'At most that many in any window of this length.' }),
}) {}

class QuotaReply extends Reply({
  daily_free_credits: field.integer({ example: 25 }),
  rate: field.one(RequestRateReply),
  concurrent_requests: field.integer({ example: 1 }),
  batch_size: field.integer({ example: 25, description: 'Addresses in one batch at most.' }),
  key_life_days: field.integer({ example: 30 }),
}) {}

/** The reply to a registration. The specification's fields are at the top level: there is no envelope here. */
export class RegistrationReply extends Reply({
  api_key: field.text('Shown here and never again.'),
  expires_at: field.time(),
  daily_free_credits: field.integer({ example: 25 }),
  claim_url: field.url('Where a person reads how to take the key under their account.'),
  claim_token: field.text('For that person alone, for 30 days. Shown here and never again.'),
  endpoints: field.of<Readonly<Record<string, EndpointReply>>>({
    type: 'object',
    additionalProperties: { $ref: '#/components/schemas/EndpointReply' },
  }),
  quota: field.one(QuotaReply),
}) {}

const EMAILS = { emails: ['jane@example.com', 'john@example.com'] };

/** The operations that an agent may call, by name, with a body for those that need one. */
const ENDPOINTS: Readonly<Record<string, readonly [method: string, path: string, body?: object]>> = {
  register: ['POST', '/agent-gateway/register'],
  verify: ['POST', '/api/v1/verify', { email: 'jane@example.com' }],
  verify_batch: ['POST', '/api/v1/verify/batch', EMAILS],
  batch_status: ['GET', '/api/v1/verify/batch/{id}'],
  batch_results: ['GET', '/api/v1/verify/batch/{id}/results'],
  estimate: ['POST', '/api/v1/estimate', EMAILS],
  credits: ['GET', '/api/v1/credits'],
  mcp: ['POST', '/mcp'],
  mcp_card: ['GET', '/.well-known/mcp.json'],
  agent_card: ['GET', '/.well-known/agent.json'],
  openapi: ['GET', '/agent-gateway/openapi.json'],
  guide: ['GET', '/llms.txt'],
};

export function registrationReply(
  { token, claimToken, expiresAt, policy }: AgentRegistration,
  publicUrl: string,
): RegistrationReply {
  const endpoints = Object.entries(ENDPOINTS).map(([name, [method, path, body]]) => [
    name,
    { method, url: publicUrl + path, ...(body && { body }) },
  ]);
  const quota = quotaReply(policy);
  return {
    api_key: token,
    expires_at: expiresAt.toISOString(),
    daily_free_credits: quota.daily_free_credits,
    claim_url: claimUrl(publicUrl),
    claim_token: claimToken,
    endpoints: Object.fromEntries(endpoints) as RegistrationReply['endpoints'],
    quota,
  };
}

function quotaReply(policy: AgentPolicy): QuotaReply {
  const { quota, windowMs } = quotaOf(policy);
  return {
    daily_free_credits: policy.dailyFreeCredits,
    rate: { requests: quota, window_seconds: Math.ceil(windowMs / 1000) },
    concurrent_requests: policy.requestsInFlight,
    batch_size: policy.batchSize,
    key_life_days: policy.keyLifeDays,
  };
}
