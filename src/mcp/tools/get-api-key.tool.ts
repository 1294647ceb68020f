import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { isContact, NO_CONTACT } from '../../keys/accounts/contact.js';
import { registrationReply } from '../../keys/accounts/registration.reply.js';
import { RegistrationService } from '../../keys/accounts/registration.service.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { KEY_POLICIES, type KeyPolicies } from '../../platform/config/policies.js';
import { isStorable, NOT_STORABLE } from '../../platform/http/fields.js';
import { mcpUrl } from './mcp-caller.js';
import { ADDING, type Tool, type ToolCall, type ToolResult } from './tool.js';
import { count, members, time } from './tool-schemas.js';

const storableText = (most: number) => z.string().max(most).refine(isStorable, NOT_STORABLE);

const input = z.object({
  name: storableText(80).optional().describe("The agent's name."),
  purpose: storableText(500).optional().describe('What it verifies addresses for.'),
  contact: storableText(255)
    .refine(isContact, NO_CONTACT)
    .optional()
    .describe('An email address or a URL of its operator.'),
});

@Injectable()
export class GetApiKeyTool implements Tool<typeof input> {
  readonly name = 'get_api_key';
  readonly title = 'Get an API key';
  readonly description: string;
  readonly annotations = { ...ADDING, openWorldHint: false };
  readonly input = input;
  readonly output = z.object({
    api_key: z.string(),
    expires_at: time(),
    daily_free_credits: count(),
    claim_url: z.string(),
    claim_token: z.string(),
    connect: z.object({
      url: z.string(),
      headers: members(),
      configuration: z.string(),
    }),
    endpoints: members(),
    quota: members(),
  });
  readonly needsKey = false;
  readonly needs = [];
  readonly usesRate = false;

  constructor(
    private readonly registration: RegistrationService,
    @Inject(ENV) private readonly env: Env,
    @Inject(KEY_POLICIES) { agent }: KeyPolicies,
  ) {
    this.description = [
      'Gives you an API key, at once and without an account or a person. Use it once, when you have no key or yours has expired; a key that works is to be kept, since few are given to one address.',
      `Free: ${agent.dailyFreeCredits} verifications a UTC day, for ${agent.keyLifeDays} days.`,
      'Returns api_key (shown only here) and connect: the other tools work once you have reconnected with the header "Authorization: Bearer <api_key>". If you cannot reconnect, give connect.configuration to the person who runs you, or use the plain HTTP endpoints with the same header. claim_token lets that person take the key under their account, at claim_url.',
    ].join(' ');
  }

  async run(details: z.infer<typeof input>, { clientAddress }: ToolCall): Promise<ToolResult> {
    const registered = await this.registration.register(details, clientAddress);
    const { api_key, expires_at, daily_free_credits, claim_url, claim_token, endpoints, quota } = registrationReply(
      registered,
      this.env.publicUrl,
    );
    const url = mcpUrl(this.env);
    const headers = { Authorization: `Bearer ${api_key}` };
    const configuration = JSON.stringify({ mcpServers: { mailsonde: { type: 'http', url, headers } } });
    return {
      api_key,
      expires_at,
      daily_free_credits,
      claim_url,
      claim_token,
      connect: { url, headers, configuration },
      endpoints,
      quota,
      action: 'reconnect',
      next_step: `Keep the key and the claim_token, which are shown only now, then reconnect to ${url} with the header "Authorization: Bearer ${api_key}". Once the free checks of a day do not suffice, give the claim_token to the person you work for: at ${claim_url} they read how to let you go on under their account.`,
    };
  }
}
