import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { claimUrl } from './claims.service.js';
import { quotaOf } from '../limits/rate-headers.js';
import type { AgentPolicy, AgentRegistration } from './registration.service.js';

export class EndpointReply {
  @ApiProperty({ example: 'POST' })
  readonly method: string;

  @ApiProperty({ format: 'uri-template', example: 'https://mailsonde.example/api/v1/verify/batch/{id}' })
  readonly url: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'A body that it takes, as an example.',
  })
  readonly body?: object;
}

class RequestRateReply {
  @ApiProperty({ type: 'integer', example: 10 })
  readonly requests: number;

  @ApiProperty({ type: 'integer', example: 60, description: 'At most that many in any window of this length.' })
  readonly window_seconds: number;
}

class QuotaReply {
  @ApiProperty({ type: 'integer', example: 25 })
  readonly daily_free_credits: number;

  @ApiProperty({ type: RequestRateReply })
  readonly rate: RequestRateReply;

  @ApiProperty({ type: 'integer', example: 1 })
  readonly concurrent_requests: number;

  @ApiProperty({ type: 'integer', example: 25, description: 'Addresses in one batch at most.' })
  readonly batch_size: number;

  @ApiProperty({ type: 'integer', example: 30 })
  readonly key_life_days: number;
}

/** The reply to a registration. The specification's fields are at the top level: there is no envelope here. */
export class RegistrationReply {
  @ApiProperty({ description: 'Shown here and never again.' })
  readonly api_key: string;

  @ApiProperty({ format: 'date-time' })
  readonly expires_at: string;

  @ApiProperty({ type: 'integer', example: 25 })
  readonly daily_free_credits: number;

  @ApiProperty({ format: 'uri', description: 'Where a person reads how to take the key under their account.' })
  readonly claim_url: string;

  @ApiProperty({ description: 'For that person alone, for 30 days. Shown here and never again.' })
  readonly claim_token: string;

  @ApiProperty({ type: 'object', additionalProperties: { $ref: '#/components/schemas/EndpointReply' } })
  readonly endpoints: Readonly<Record<string, EndpointReply>>;

  @ApiProperty({ type: QuotaReply })
  readonly quota: QuotaReply;
}

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
