import type { Client } from 'openapi-fetch';
import { BatchClient, contentOf, initOf, pagesOf, type CallOptions } from './batch-client.js';
import type { components as Account, paths as AccountPaths } from './documents/account.js';
import type { paths as AdminPaths } from './documents/admin.js';
import type { components as Agent, paths as AgentPaths } from './documents/agent.js';
import { createApi, Requests, type ClientOptions } from './requests.js';

export { MailsondeError } from './mailsonde-error.js';
export { verifyWebhook, type VerifiedWebhook, type WebhookEvent, type WebhookHeaders } from './webhook.js';
export type { ClientOptions } from './requests.js';
export type {
  BatchStatus,
  CallOptions,
  DownloadQuery,
  ResultsQuery,
  UploadOptions,
  WaitOptions,
} from './batch-client.js';
export type { UploadProgress, UploadSource } from './upload.js';
/** The bodies of each interface, by the names that its OpenAPI document gives them. */
export type AccountSchemas = Account['schemas'];
export type AgentSchemas = Agent['schemas'];

interface AccountShapes {
  readonly verification: AccountSchemas['FullVerificationReply'];
  readonly batchRequest: AccountSchemas['BatchRequest'];
  readonly batchTaken: AccountSchemas['BatchTakenReply'];
  /** Rows that wait are among them with `partial` only. */
  readonly row: AccountSchemas['FullRow'];
  readonly credits: AccountSchemas['BalanceReply'];
}

interface AgentShapes {
  readonly verification: AgentSchemas['VerificationData'];
  readonly batchRequest: AgentSchemas['AgentBatchRequest'];
  readonly batchTaken: AgentSchemas['BatchTakenData'];
  readonly row: AgentSchemas['VerificationData'];
  readonly credits: AgentSchemas['DailyCreditsBody'];
}

/** For the live and test keys of a full account. */
export class AccountClient extends BatchClient<AccountShapes> {
  /** Every route of the interface, typed: `client.api.GET('/api/v1/keys')`. */
  readonly api: Client<AccountPaths> = createApi<AccountPaths>(this.requests);

  async find(
    person: AccountSchemas['FindEmailRequest'],
    call: CallOptions = {},
  ): Promise<AccountSchemas['FindingReply']> {
    return contentOf(await this.api.POST('/api/v1/finder/email', { body: person, ...initOf(call) }));
  }

  /** What verifying would cost; costs nothing. */
  async estimate(
    body: AccountSchemas['EstimateRequest'],
    call: CallOptions = {},
  ): Promise<AccountSchemas['EstimateReply']> {
    return contentOf(await this.api.POST('/api/v1/estimate', { body, ...initOf(call) }));
  }

  /** The lists, newest first. */
  async *lists({ signal }: Pick<CallOptions, 'signal'> = {}): AsyncGenerator<AccountSchemas['ListReply'], void, void> {
    yield* pagesOf(async (cursor) => {
      const params = { query: { limit: 100, cursor } };
      const page: AccountSchemas['ListPageReply'] = contentOf(await this.api.GET('/api/v1/lists', { params, signal }));
      return { rows: page.lists, next_cursor: page.next_cursor };
    });
  }
}

/** For the key of an agent; what the service answers inside `data` is given without it. */
export class AgentClient extends BatchClient<AgentShapes> {
  /** Every route of the interface, typed. */
  readonly api: Client<AgentPaths> = createApi<AgentPaths>(this.requests);
}

export function createClient(options: ClientOptions): AccountClient {
  return new AccountClient(options);
}

export function createAgentClient(options: ClientOptions): AgentClient {
  return new AgentClient(options);
}

/** The routes of administrators, typed. */
export function createAdminClient(options: ClientOptions): Client<AdminPaths> {
  return createApi<AdminPaths>(new Requests(options));
}

/** Gets an agent a key of its own, without an account or a human; its `api_key` is shown once. */
export async function registerAgent(
  options: Omit<ClientOptions, 'apiKey'>,
  body: AgentSchemas['RegistrationRequest'] = {},
): Promise<AgentSchemas['RegistrationReply']> {
  return contentOf(await createApi<AgentPaths>(new Requests(options)).POST('/agent-gateway/register', { body }));
}
