import { CONFIG_DIRECTORY, readRows } from './config-file.js';
import { ConfigurationError } from './configuration-error.js';
import {
  type Checked,
  type Check,
  type Checks,
  count,
  flag,
  isObject,
  number,
  object,
  oneOf,
  orNull,
  passing,
  WrongValue,
} from '../../lib/checked-json.js';
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

/** `config/webhook-retries.json`, row `delivery`. */
export interface WebhookRetries {
  /** The pause before each attempt, counted from the one before it (the first: from the event). */
  readonly delaysSeconds: readonly number[];
  /** The largest share of each delay that chance adds to it, so that deliveries which failed together do not come back together. */
  readonly jitter: number;
  /** The deadline of a whole attempt, from the look-up of the name to the end of the reply. */
  readonly deadlineSeconds: number;
  /** A longer `Retry-After` is cut. */
  readonly maxRetryAfterSeconds: number;
  /** Days without a success after which an endpoint is disabled. */
  readonly disableAfterDays: number;
  /** Deliveries a second to one receiving host from all accounts together, in the long run. */
  readonly hostPerSecond: number;
  /** Deliveries at once to one receiving host from all accounts together. */
  readonly hostBurst: number;
}

/** `config/console.json`, row `reading`: what a person may read in a browser, beside the rate of their key. */
export interface ConsoleLimits {
  /** Requests a second of one key's sessions, in the long run. */
  readonly perSecond: number;
  /** Requests at once after a pause. */
  readonly burst: number;
  readonly requestsInFlight: number;
}

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

const words = (allowed: string): Check<readonly string[]> =>
  passing(
    (value) => Array.isArray(value) && value.every((word) => typeof word === 'string' && /^[^]{1,100}$/.test(word)),
    allowed,
  );

const countOrNull = (min: number, max: number): Check<number | null> =>
  orNull(count(min, max, `null or a whole number from ${min} to ${max}`));

const RATES = {
  window: { requests: count(1, 1_000_000), windowSeconds: count(1, 86_400) },
  bucket: { perSecond: count(1, 1_000_000), burst: count(1, 1_000_000) },
};

function rate(value: unknown, where: string): KeyPolicy['rate'] {
  if (!isObject(value)) throw new WrongValue(where, value, 'an object with kind and its numbers');
  const kind = oneOf('window', 'bucket')(value['kind'], `${where}.kind`);
  return object({ kind: oneOf(kind), ...RATES[kind] })(value, where) as KeyPolicy['rate'];
}

const MCP_TOOLS = words('all, or a list of tool names');

/** `config/key-policies.json`; the row's name is its policy's. */
const KEY_POLICY = {
  shape: oneOf('envelope', 'flat'),
  rate,
  requestsInFlight: count(1, 100_000),
  batchSize: count(0, 1_000_000),
  dailyFreeCredits: countOrNull(0, 1_000_000),
  grantedCredits: count(0, 1_000_000_000),
  lowCredits: count(0, 1_000_000_000),
  keyLifeDays: countOrNull(1, 36_500),
  chargeUnknown: flag,
  chargeMalformed: flag,
  /** The longest retention in days; null: that of `RETENTION_DAYS`. */
  retentionDays: countOrNull(1, 3650),
  blacklistTargets: count(0, 25),
  monitors: count(0, 100_000),
  monitorMinutes: count(1, 10_080),
  monitorDays: count(30, 3650),
  placementTests: count(0, 10_000),
  webhooks: flag,
  mcpTools: ((value, where) => (value === 'all' ? value : MCP_TOOLS(value, where))) as Check<KeyPolicy['mcpTools']>,
};
type KeyPolicyRow = Checked<typeof KEY_POLICY>;

const KEY_POLICY_ROW = object(KEY_POLICY);

const CREDIT_PRICE_ROW = object<Checks<CreditPrice>>({
  costCredits: count(0, 1_000_000),
  freeOutcomes: words('a list of outcomes'),
});

const isDelay = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 604_800;

const WEBHOOK_RETRIES_ROW = object<Checks<WebhookRetries>>({
  delaysSeconds: passing(
    (value) => Array.isArray(value) && value.length > 0 && value.every(isDelay),
    'a list of whole seconds from 0 to 604800',
  ),
  jitter: number(0, 1),
  deadlineSeconds: count(1, 60),
  maxRetryAfterSeconds: count(0, 604_800),
  disableAfterDays: count(1, 365),
  hostPerSecond: count(1, 10_000),
  hostBurst: count(1, 100_000),
});

const CONSOLE_LIMITS_ROW = object<Checks<ConsoleLimits>>({
  perSecond: count(1, 10_000),
  burst: count(1, 100_000),
  requestsInFlight: count(1, 10_000),
});

/** Every plan that there is, for the rules and documents that are made at import. */
export const PLANS = readPlans();

/** @returns none when the file is broken: whoever starts is told so by `loadPolicies`, as a sentence. */
export function readPlans(directory = CONFIG_DIRECTORY): readonly Plan[] {
  try {
    return [...readRows('key-policies.json', KEY_POLICY_ROW, directory).keys()].filter(isPlan);
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
  const keyRows = readRows('key-policies.json', KEY_POLICY_ROW, directory);
  const priceRows = readRows('credit-prices.json', CREDIT_PRICE_ROW, directory);
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
      readRows('webhook-retries.json', WEBHOOK_RETRIES_ROW, directory),
      'webhook-retries.json',
      'delivery',
    ),
    consoleLimits: take(readRows('console.json', CONSOLE_LIMITS_ROW, directory), 'console.json', 'reading'),
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
  const { retentionDays, ...same } = row;
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
    retentionDays: Math.min(retentionDays ?? longestDays, longestDays),
  };
}

function take<T>(rows: Map<string, T>, fileName: string, name: string): T {
  const row = rows.get(name);
  if (row === undefined) throw new ConfigurationError(`config/${fileName} ${name}`, 'missing', 'a row of this name');
  return row;
}
