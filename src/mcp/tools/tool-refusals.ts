import type { AppError } from '../../platform/errors/app-error.js';
import type { ErrorCode } from '../../platform/errors/error-catalog.js';
import { errorReply } from '../../platform/errors/error-reply.js';
import { MCP_PATH } from './mcp-caller.js';
import type { Failure } from './tool-schemas.js';

const GET_A_KEY: readonly ErrorCode[] = ['key_missing', 'key_malformed', 'key_unknown', 'key_expired', 'key_revoked'];

/* Advice by error code, for codes that need no more to advise on. */
const STEPS: Partial<Record<ErrorCode, readonly [action: Failure['action'], step: string]>> = {
  invalid_input: ['correct_input', 'Correct the arguments that fields names, and call again.'],
  ceiling_reached: ['correct_input', 'Nothing was done. Allow max_credits of at least required, or ask for less.'],
  idempotency_key_reused: ['correct_input', 'This idempotency_key belongs to other arguments: use a new one.'],
  batch_not_found: ['correct_input', 'Use a batch_id that verify_batch has answered for this key.'],
  list_not_found: ['correct_input', 'list_lists names the lists there are; a batch becomes one when it is completed.'],
  full_account_required: ['none', 'Connect with the key of an account or of an agent.'],
  permission_missing: ['none', 'Ask whoever gave you the key for one with this permission.'],
  address_not_allowed: ['none', 'Call from one of the networks that the key was made for.'],
  account_suspended: ['none', 'Ask the operator of this service.'],
  registration_limited: ['retry_later', 'Use the key you already have, or call again after retry_after seconds.'],
};

interface Call {
  readonly requestId: string;
  readonly endpoint: string;
  readonly now: number;
}

/** A refusal as a tool's result: the body of a REST error, and advice. */
export function failureOf(error: AppError, { requestId, endpoint, now }: Call): Failure {
  const { body } = errorReply(error, requestId, true);
  const told = error.details.retryAfterSeconds ?? null;
  const [action, nextStep] = nextStepOf(error, told, endpoint);
  const retryAfter = told ?? (action === 'retry_later' ? secondsUntil(error.details.body?.['resets_at'], now) : null);
  return { ...body, action, retry_after: retryAfter, next_step: nextStep } as Failure;
}

/** Credits that start again at a time are worth waiting for until then. */
function secondsUntil(resetsAt: unknown, now: number): number | null {
  return typeof resetsAt === 'string' ? Math.max(1, Math.ceil((Date.parse(resetsAt) - now) / 1000)) : null;
}

function nextStepOf(
  { code, details }: AppError,
  retryAfter: number | null,
  endpoint: string,
): readonly [Failure['action'], string] {
  if (GET_A_KEY.includes(code)) return ['get_api_key', howToConnect(endpoint)];
  if (code === 'too_many_emails') return ['correct_input', howToSendMore(endpoint)];
  const known = STEPS[code];
  if (known !== undefined) return known;
  if (code === 'key_ceiling_reached') return underCeiling(details.body ?? {});
  if (code === 'credits_insufficient' && details.body?.['resets_at'] !== undefined)
    return ['retry_later', howToGoOn(details.body['claim_url'])];
  if (code === 'credits_insufficient') return ['add_credits', 'Add credits to the account, or verify fewer addresses.'];
  if (retryAfter !== null) return ['retry_later', `Call again after ${retryAfter} seconds.`];
  return ['none', 'Report this with its request_id if it stays.'];
}

/** What the model can do itself, and a sentence for its human. */
function howToGoOn(claimUrl: unknown): string {
  const wait = 'Wait until resets_at (00:00 UTC), or verify fewer addresses.';
  if (typeof claimUrl !== 'string')
    return `${wait} To go on now, ask the person you work for to add credits to the account that has claimed you.`;
  return `${wait} To go on now, tell the person you work for: "Today's free checks are used up. Open ${claimUrl} and claim me with the claim_token that I got with my API key; then I go on under your account."`;
}

/** Only whoever gave out the key can raise its ceilings. */
function underCeiling({ ceiling, resets_at }: Readonly<Record<string, unknown>>): readonly [Failure['action'], string] {
  const raise = `ask the person you work for to raise the ceiling ${String(ceiling)} of this key`;
  if (resets_at === null) return ['none', `Verify fewer addresses, or ${raise}.`];
  return ['retry_later', `Wait until resets_at, verify fewer addresses, or ${raise}.`];
}

function howToSendMore(endpoint: string): string {
  const href = `${endpoint.slice(0, -MCP_PATH.length)}/api/v1/verify/batch`;
  return `Call again with at most limit emails at a time; get_list reads each batch. With the key of a full account all can go at once: POST them to ${href} with the same header; get_batch_status takes the id that it answers.`;
}

function howToConnect(endpoint: string): string {
  return `Call the tool get_api_key, then reconnect to ${endpoint} with the header "Authorization: Bearer <api_key>". If you have a key, check that the header is sent whole.`;
}
