import { CONFIG_DIRECTORY, readRows } from './config-file.js';
import { ConfigurationError } from './configuration-error.js';
import { ConsoleLimitsRow, CreditPriceRow, KeyPolicyRow, WebhookRetriesRow } from './policy-rows.js';
import { loadReasonTexts, type ReasonTexts } from './reason-texts.js';

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
  /** Credits granted once, when the account is created. */
  readonly grantedCredits: number;
  /** A balance below it emits `credits.low`; 0: never. */
  readonly lowCredits: number;
  readonly keyLifeDays: number | null;
  /** Whether an `unknown` verdict is charged. */
  readonly chargeUnknown: boolean;
  /** Whether a text that is no address is charged. */
  readonly chargeMalformed: boolean;
  readonly retentionDays: number;
  /** The most addresses and domains of one check against block lists. */
  readonly blacklistTargets: number;
  /** The most monitors of an account in each mode. */
  readonly monitors: number;
  /** The shortest interval of a monitor. */
  readonly monitorMinutes: number;
  /** So long the history of a monitor is kept. */
  readonly monitorDays: number;
  /** The most placement tests that wait at once. */
  readonly placementTests: number;
  /** Whether the account may register endpoints for events. */
  readonly webhooks: boolean;
  /** Names of tools, or every tool that there is. */
  readonly mcpTools: 'all' | readonly string[];
}

/** What a full account is on: the name of a row of `config/key-policies.json`, one of `PLANS`. */
export type Plan = string;

/** What an account is on when nobody names a plan. */
export const DEFAULT_PLAN = 'free';

/** The rows of `config/key-policies.json` in their order: those that every installation has, and its further plans. */
export interface KeyPolicies {
  readonly agent: KeyPolicy;
  readonly [DEFAULT_PLAN]: KeyPolicy;
  readonly admin: KeyPolicy;
  readonly [plan: Plan]: KeyPolicy;
}

/** One row of `config/credit-prices.json`. */
export interface CreditPrice {
  readonly costCredits: number;
  /** Outcomes that cost nothing for any caller. The policy's `chargeUnknown` and `chargeMalformed` decide about two more. */
  readonly freeOutcomes: readonly string[];
}

export type CreditPrices = Readonly<
  Record<'verify' | 'find' | 'blacklists' | 'domains' | 'placement' | 'seeds', CreditPrice>
>;

/** `config/webhook-retries.json`. */
export type WebhookRetries = Readonly<WebhookRetriesRow>;

/** `config/console.json`: what a person may read in a browser, beside the rate of their key. */
export type ConsoleLimits = Readonly<ConsoleLimitsRow>;

export interface Policies {
  readonly keyPolicies: KeyPolicies;
  readonly creditPrices: CreditPrices;
  readonly reasonTexts: ReasonTexts;
  readonly webhookRetries: WebhookRetries;
  readonly consoleLimits: ConsoleLimits;
}

/** Nest tokens of the five. */
export const KEY_POLICIES = Symbol('KEY_POLICIES');
export const CREDIT_PRICES = Symbol('CREDIT_PRICES');
export const REASON_TEXTS = Symbol('REASON_TEXTS');
export const WEBHOOK_RETRIES = Symbol('WEBHOOK_RETRIES');
export const CONSOLE_LIMITS = Symbol('CONSOLE_LIMITS');

const NO_PLANS: readonly string[] = ['agent', 'admin'];
const PLAN_NAME = /^[a-z][a-z0-9_-]{0,39}$/;

/** Every plan that there is, for the rules and documents that are made at import. */
export const PLANS = readPlans();

/** @returns none when the file is broken: whoever starts is told so by `loadPolicies`, as a sentence. */
export function readPlans(directory = CONFIG_DIRECTORY): readonly Plan[] {
  try {
    return [...readRows('key-policies.json', KeyPolicyRow, directory).keys()].filter(isPlan);
  } catch (error) {
    if (error instanceof ConfigurationError) return [];
    throw error;
  }
}

/** The policies of all plans. */
export function plansOf(policies: KeyPolicies): readonly KeyPolicy[] {
  return Object.values(policies).filter(({ name }) => isPlan(name));
}

/** The policy that an account or a batch has by name. */
export function policyNamed(policies: KeyPolicies, name: string): KeyPolicy {
  const policy = Object.hasOwn(policies, name) ? policies[name] : undefined;
  if (policy === undefined) throw new Error(`config/key-policies.json has no row "${name}" any more`);
  return policy;
}

function isPlan(name: string): boolean {
  return !NO_PLANS.includes(name);
}

/**
 * Reads and checks the data in `config/`.
 * @param retentionDays the longest that any policy keeps addresses (`RETENTION_DAYS`)
 * @throws ConfigurationError naming the first file, path and value that is wrong.
 */
export function loadPolicies({ retentionDays }: { retentionDays: number }, directory = CONFIG_DIRECTORY): Policies {
  const keyRows = readRows('key-policies.json', KeyPolicyRow, directory);
  const priceRows = readRows('credit-prices.json', CreditPriceRow, directory);
  return {
    keyPolicies: toKeyPolicies(keyRows, retentionDays),
    creditPrices: {
      verify: take(priceRows, 'credit-prices.json', 'verify'),
      find: take(priceRows, 'credit-prices.json', 'find'),
      blacklists: take(priceRows, 'credit-prices.json', 'blacklists'),
      domains: take(priceRows, 'credit-prices.json', 'domains'),
      placement: take(priceRows, 'credit-prices.json', 'placement'),
      seeds: take(priceRows, 'credit-prices.json', 'seeds'),
    },
    reasonTexts: loadReasonTexts(directory),
    webhookRetries: take(
      readRows('webhook-retries.json', WebhookRetriesRow, directory),
      'webhook-retries.json',
      'delivery',
    ),
    consoleLimits: take(readRows('console.json', ConsoleLimitsRow, directory), 'console.json', 'reading'),
  };
}

function toKeyPolicies(rows: Map<string, KeyPolicyRow>, longestDays: number): KeyPolicies {
  for (const name of ['agent', DEFAULT_PLAN, 'admin']) take(rows, 'key-policies.json', name);
  for (const name of rows.keys()) {
    if (!PLAN_NAME.test(name))
      throw new ConfigurationError(
        'config/key-policies.json: the name of a row',
        name,
        'a letter, then up to 39 letters, digits, - and _, in lower case',
      );
  }
  const named = [...rows].map(([name, row]) => [name, toKeyPolicy(name, row, longestDays)] as const);
  return Object.fromEntries(named) as unknown as KeyPolicies;
}

function toKeyPolicy(name: string, row: KeyPolicyRow, longestDays: number): KeyPolicy {
  const { rate, retentionDays, ...same } = row;
  // Credits of the day come out of the agents' pool; a plan has a balance.
  if (isPlan(name) && row.dailyFreeCredits !== null)
    throw new ConfigurationError(
      `config/key-policies.json: ${name}.dailyFreeCredits`,
      String(row.dailyFreeCredits),
      'null for a plan',
    );
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
