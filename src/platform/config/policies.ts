import { CONFIG_DIRECTORY, readRows } from './config-file.js';
import { ConfigurationError } from './configuration-error.js';
import { type Action, CreditPriceRow, KeyPolicyRow, ReasonRow, WebhookRetriesRow } from './policy-rows.js';

/** One row of `config/key-policies.json`: everything that differs by key kind and plan, as data. */
export interface KeyPolicy {
  readonly name: string;
  /** Shape of replies. */
  readonly shape: 'envelope' | 'flat';
  /** At most `requests` in any `windowSeconds` (sliding), or a token bucket. */
  readonly rate:
    | { readonly kind: 'window'; readonly requests: number; readonly windowSeconds: number }
    | { readonly kind: 'bucket'; readonly perSecond: number; readonly burst: number };
  readonly requestsInFlight: number;
  readonly batchSize: number;
  /** Credits of a UTC day, from the shared pool; null where credits are a balance. */
  readonly dailyFreeCredits: number | null;
  /** Granted once, when the account is made. */
  readonly grantedCredits: number;
  /** A balance below it is told to be low; 0: never. */
  readonly lowCredits: number;
  readonly keyLifeDays: number | null;
  /** Whether an `unknown` verdict is charged. */
  readonly chargeUnknown: boolean;
  readonly retentionDays: number;
  /** Whether the account may be told of events at a URL. */
  readonly webhooks: boolean;
  readonly mcpTools: readonly string[];
}

export type PolicyName = 'agent' | 'free' | 'pro' | 'scale' | 'admin';

export type KeyPolicies = Readonly<Record<PolicyName, KeyPolicy>>;

/** One row of `config/credit-prices.json`. */
export interface CreditPrice {
  readonly costCredits: number;
  /** Outcomes that cost nothing, whoever asks. What an `unknown` costs is the policy's `chargeUnknown`. */
  readonly freeOutcomes: readonly string[];
}

export type CreditPrices = Readonly<Record<'verify' | 'find', CreditPrice>>;

/** One row of `config/reasons.json`: the text and the advice that API, documents and tools share. */
export interface ReasonText {
  readonly verdict: 'valid' | 'invalid' | 'risky' | 'unknown';
  readonly explanation: string;
  readonly action: Action;
}

export type ReasonTexts = Readonly<Record<string, ReasonText>>;

/** `config/webhook-retries.json`. */
export type WebhookRetries = Readonly<WebhookRetriesRow>;

export interface Policies {
  readonly keyPolicies: KeyPolicies;
  readonly creditPrices: CreditPrices;
  readonly reasonTexts: ReasonTexts;
  readonly webhookRetries: WebhookRetries;
}

/** Nest tokens of the four. */
export const KEY_POLICIES = Symbol('KEY_POLICIES');
export const CREDIT_PRICES = Symbol('CREDIT_PRICES');
export const REASON_TEXTS = Symbol('REASON_TEXTS');
export const WEBHOOK_RETRIES = Symbol('WEBHOOK_RETRIES');

/**
 * Reads and checks the data in `config/`.
 * @param retentionDays the longest that any policy keeps addresses (`RETENTION_DAYS`)
 * @throws ConfigurationError naming the first file, path and value that is wrong.
 */
export function loadPolicies({ retentionDays }: { retentionDays: number }, directory = CONFIG_DIRECTORY): Policies {
  const keyRows = readRows('key-policies.json', KeyPolicyRow, directory);
  const priceRows = readRows('credit-prices.json', CreditPriceRow, directory);
  const keyPolicy = (name: PolicyName): KeyPolicy =>
    toKeyPolicy(name, take(keyRows, 'key-policies.json', name), retentionDays);
  return {
    keyPolicies: {
      agent: keyPolicy('agent'),
      free: keyPolicy('free'),
      pro: keyPolicy('pro'),
      scale: keyPolicy('scale'),
      admin: keyPolicy('admin'),
    },
    creditPrices: {
      verify: take(priceRows, 'credit-prices.json', 'verify'),
      find: take(priceRows, 'credit-prices.json', 'find'),
    },
    reasonTexts: Object.fromEntries(readRows('reasons.json', ReasonRow, directory)),
    webhookRetries: take(
      readRows('webhook-retries.json', WebhookRetriesRow, directory),
      'webhook-retries.json',
      'delivery',
    ),
  };
}

function toKeyPolicy(name: PolicyName, row: KeyPolicyRow, longestDays: number): KeyPolicy {
  const { rate, retentionDays, ...same } = row;
  return {
    name,
    ...same,
    // The row was checked: the members that its kind of rate needs are there.
    rate: rate as KeyPolicy['rate'],
    retentionDays: Math.min(retentionDays ?? longestDays, longestDays),
  };
}

function take<T>(rows: Map<string, T>, fileName: string, name: string): T {
  const row = rows.get(name);
  if (row === undefined) throw new ConfigurationError(`config/${fileName} ${name}`, 'missing', 'a row of this name');
  return row;
}
