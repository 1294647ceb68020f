import type { HostCaps } from '../ports.js';

/** How much of us an operator's mail hosts tolerate, and in what portions. */
export interface ProviderCaps extends HostCaps {
  /** `MAIL FROM` commands on one connection before a fresh one. */
  readonly transactionsPerConnection: number;
  /** `RCPT TO` commands in one transaction. */
  readonly recipientsPerTransaction: number;
  /** Refused recipients on one connection before a fresh one. */
  readonly refusalsPerConnection: number;
}

/** One row of `config/mail-providers.json`: the facts about one mail operator. */
export interface MailProvider {
  /** The row's name in the file, such as `microsoft-365`. */
  readonly name: string;
  /** The operator's name for people; null for the row of all operators without a row. */
  readonly title: string | null;
  /** Names of its mail hosts, or of domains that they are in. */
  readonly mx: readonly string[];
  /** Domains on which it gives mailboxes to the public. */
  readonly domains: readonly string[];
  /** It filters mail for other servers, so a generic refusal says less about the mailbox. */
  readonly gateway: boolean;
  /** Whether the answer to `RCPT TO` shows that the mailbox exists. `hides`: the operator accepts every name, so a 250 proves nothing. */
  readonly rcpt: 'honest' | 'varies' | 'hides';
  /**
   * Whether `domains` accept every name. `measured`: none is believed to, and a made-up name an hour tests it. `no`: the same, and no name is
   * made up, because the operator counts unknown names against us. Null: each domain is asked.
   */
  readonly ownDomainsCatchAll: 'no' | 'measured' | null;
  readonly caps: ProviderCaps;
  /** `required`: it refuses mail on a clear connection, so falling back to one is of no use. */
  readonly starttls: 'offered' | 'required';
  /** Why the row says so, with the source. */
  readonly why: string;
}

type Check<T> = (value: unknown, where: string) => T;

const DOMAIN_NAME = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/;
const ROW_NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;

const caps: { readonly [Field in keyof ProviderCaps]: Check<ProviderCaps[Field]> } = {
  connections: count(1, 1000),
  connectionsPerMinute: orNull(count(1, 100_000)),
  transactionsPerConnection: count(1, 10_000),
  recipientsPerTransaction: count(1, 1000),
  refusalsPerConnection: count(1, 1000),
};

const members: { readonly [Field in Exclude<keyof MailProvider, 'name'>]: Check<MailProvider[Field]> } = {
  title: orNull(text),
  mx: domainNames,
  domains: domainNames,
  gateway: flag,
  rcpt: oneOf('honest', 'varies', 'hides'),
  ownDomainsCatchAll: orNull(oneOf('no', 'measured')),
  caps: (value, where) => checkedObject<ProviderCaps>(value, where, caps),
  starttls: oneOf('offered', 'required'),
  why: text,
};

/** A row of `config/mail-providers.json`, every member checked. @throws Error naming row and field. */
export function providerRow(name: string, row: unknown): MailProvider {
  const where = `config/mail-providers.json ${name}`;
  if (!ROW_NAME.test(name)) throw wrong(where, name, 'a name in kebab case');
  const provider: MailProvider = { name, ...checkedObject<Omit<MailProvider, 'name'>>(row, where, members) };
  const isDefault = name === 'default';
  if (isDefault !== (provider.title === null)) throw wrong(`${where}.title`, provider.title, 'null in "default" only');
  if (isDefault !== (provider.mx.length === 0)) throw wrong(`${where}.mx`, provider.mx, 'empty in "default" only');
  return Object.freeze(provider);
}

function checkedObject<T extends object>(
  value: unknown,
  where: string,
  checks: { readonly [Field in keyof T]: Check<T[Field]> },
): T {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(where, value, 'an object');
  const unknown = Object.keys(value).find((field) => !Object.hasOwn(checks, field));
  if (unknown) throw new Error(`${where}.${unknown}: there is no such member`);
  const fields = Object.keys(checks) as (keyof T & string)[];
  return Object.fromEntries(
    fields.map((field) => [field, checks[field]((value as Partial<T>)[field], `${where}.${field}`)]),
  ) as T;
}

function count(min: number, max: number): Check<number> {
  return (value, where) => {
    if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max) return value as number;
    throw wrong(where, value, `a whole number from ${min} to ${max}`);
  };
}

function orNull<T>(check: Check<T>): Check<T | null> {
  return (value, where) => (value === null ? null : check(value, where));
}

function oneOf<T extends string>(...allowed: readonly T[]): Check<T> {
  return (value, where) => {
    const found = allowed.find((word) => word === value);
    if (found === undefined) throw wrong(where, value, allowed.join(', '));
    return found;
  };
}

function text(value: unknown, where: string): string {
  if (typeof value === 'string' && value.trim() !== '' && value.length <= 1000) return value;
  throw wrong(where, value, 'a text of 1 to 1000 characters');
}

function flag(value: unknown, where: string): boolean {
  if (typeof value === 'boolean') return value;
  throw wrong(where, value, 'true or false');
}

function domainNames(value: unknown, where: string): readonly string[] {
  if (!Array.isArray(value)) throw wrong(where, value, 'a list of domain names');
  return value.map((name: unknown, index) => {
    if (typeof name === 'string' && DOMAIN_NAME.test(name)) return name;
    throw wrong(`${where}[${index}]`, name, 'a domain name in lower case without a leading or trailing dot');
  });
}

function wrong(where: string, value: unknown, allowed: string): Error {
  return new Error(`${where}: ${JSON.stringify(value) ?? 'missing'} is not allowed, only ${allowed}`);
}
