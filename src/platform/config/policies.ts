import { CONFIG_DIRECTORY, readRows } from './config-file.js';
import { ConfigurationError } from './configuration-error.js';
import {
  type Checked,
  type Check,
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

const texts = (allowed: string): Check<readonly string[]> =>
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

/** At most `requests` in any `windowSeconds` (sliding), or a token bucket. */
type Rate =
  | { readonly kind: 'window'; readonly requests: number; readonly windowSeconds: number }
  | { readonly kind: 'bucket'; readonly perSecond: number; readonly burst: number };

function rate(value: unknown, where: string): Rate {
  if (!isObject(value)) throw new WrongValue(where, value, 'an object with kind and its numbers');
  const kind = oneOf('window', 'bucket')(value['kind'], `${where}.kind`);
  return object({ kind: oneOf(kind), ...RATES[kind] })(value, where) as Rate;
}

const MCP_TOOLS = texts('all, or a list of tool names');

/** `config/key-policies.json`; the row's name is its policy's. */
const KEY_POLICY = {
  /** Shape of replies. */
  shape: oneOf('envelope', 'flat'),
  rate,
  requestsInFlight: count(1, 100_000),
  batchSize: count(0, 1_000_000),
  /** Credits of a UTC day, from the shared pool; null where credits are a balance. */
  dailyFreeCredits: countOrNull(0, 1_000_000),
  /** Credits granted once, when the account is created. */
  grantedCredits: count(0, 1_000_000_000),
  /** A balance below it emits `credits.low`; 0: never. */
  lowCredits: count(0, 1_000_000_000),
  keyLifeDays: countOrNull(1, 36_500),
  /** Whether an `unknown` verdict is charged. */
  chargeUnknown: flag,
  /** Whether a text that is no address is charged. */
  chargeMalformed: flag,
  /** The longest retention in days; null: that of `RETENTION_DAYS`. */
  retentionDays: countOrNull(1, 3650),
  /** The most addresses and domains of one check against block lists. */
  blacklistTargets: count(0, 25),
  /** The most monitors of an account in each mode. */
  monitors: count(0, 100_000),
  /** The shortest interval of a monitor. */
  monitorMinutes: count(1, 10_080),
  /** So long the history of a monitor is kept. */
  monitorDays: count(30, 3650),
  /** The most placement tests that wait at once. */
  placementTests: count(0, 10_000),
  /** Whether the account may register endpoints for events. */
  webhooks: flag,
  /** Names of tools, or every tool that there is. */
  mcpTools: (value: unknown, where: string) => (value === 'all' ? value : MCP_TOOLS(value, where)),
};
const KEY_POLICY_ROW = object(KEY_POLICY);
type KeyPolicyRow = Checked<typeof KEY_POLICY>;

/** One row of `config/key-policies.json`: everything that differs by key kind and plan, as data. */
export interface KeyPolicy extends KeyPolicyRow {
  readonly name: string;
  readonly retentionDays: number;
}

/** One row of `config/credit-prices.json`. */
const CREDIT_PRICE = {
  costCredits: count(0, 1_000_000),
  /** Outcomes that cost nothing for any caller. The policy's `chargeUnknown` and `chargeMalformed` decide about two more. */
  freeOutcomes: texts('a list of outcomes'),
};
const CREDIT_PRICE_ROW = object(CREDIT_PRICE);
export type CreditPrice = Checked<typeof CREDIT_PRICE>;

const PRICED = ['verify', 'find', 'blacklists', 'domains', 'placement', 'seeds'] as const;
export type CreditPrices = Readonly<Record<(typeof PRICED)[number], CreditPrice>>;

const isDelay = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 604_800;

/** `config/webhook-retries.json`, row `delivery`. */
const RETRIES = {
  /** The pause before each attempt, counted from the one before it (the first: from the event). */
  delaysSeconds: passing<readonly number[]>(
    (value) => Array.isArray(value) && value.length > 0 && value.every(isDelay),
    'a list of whole seconds from 0 to 604800',
  ),
  /** The largest share of each delay that chance adds to it, so that deliveries which failed together do not come back together. */
  jitter: number(0, 1),
  /** The deadline of a whole attempt, from the look-up of the name to the end of the reply. */
  deadlineSeconds: count(1, 60),
  /** A longer `Retry-After` is cut. */
  maxRetryAfterSeconds: count(0, 604_800),
  /** Days without a success after which an endpoint is disabled. */
  disableAfterDays: count(1, 365),
  /** Deliveries a second to one receiving host from all accounts together, in the long run. */
  hostPerSecond: count(1, 10_000),
  /** Deliveries at once to one receiving host from all accounts together. */
  hostBurst: count(1, 100_000),
};
const WEBHOOK_RETRIES_ROW = object(RETRIES);
export type WebhookRetries = Checked<typeof RETRIES>;

/** `config/console.json`, row `reading`: what a person may read in a browser, beside the rate of their key. */
const READING = {
  /** Requests a second of one key's sessions, in the long run. */
  perSecond: count(1, 10_000),
  /** Requests at once after a pause. */
  burst: count(1, 100_000),
  requestsInFlight: count(1, 10_000),
};
const CONSOLE_LIMITS_ROW = object(READING);
export type ConsoleLimits = Checked<typeof READING>;

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
    creditPrices: Object.fromEntries(
      PRICED.map((name) => [name, take(priceRows, 'credit-prices.json', name)]),
    ) as CreditPrices,
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
