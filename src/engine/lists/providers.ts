import {
  isObject,
  type Checks,
  count,
  flag,
  listOf,
  matching,
  object,
  oneOf,
  orNull,
  text,
  WrongValue,
} from '../../lib/checked-json.js';
import { Memo } from '../../lib/memo.js';
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

const DOMAIN_NAME = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/;
const ROW_NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;

const CAPS: Checks<ProviderCaps> = {
  connections: count(1, 1000),
  connectionsPerMinute: orNull(count(1, 100_000)),
  transactionsPerConnection: count(1, 10_000),
  recipientsPerTransaction: count(1, 1000),
  refusalsPerConnection: count(1, 1000),
};

const DOMAIN_NAMES = listOf(
  matching(DOMAIN_NAME, 'a domain name in lower case without a leading or trailing dot'),
  'a list of domain names',
);

const ROW: Checks<Omit<MailProvider, 'name'>> = {
  title: orNull(text),
  mx: DOMAIN_NAMES,
  domains: DOMAIN_NAMES,
  gateway: flag,
  rcpt: oneOf('honest', 'varies', 'hides'),
  ownDomainsCatchAll: orNull(oneOf('no', 'measured')),
  caps: object(CAPS),
  starttls: oneOf('offered', 'required'),
  why: text,
};

/** A row of `config/mail-providers.json`, every member checked. @throws Error naming row and field. */
export function providerRow(name: string, row: unknown): MailProvider {
  const where = `config/mail-providers.json ${name}`;
  if (!ROW_NAME.test(name)) throw new WrongValue(where, name, 'a name in kebab case');
  const provider: MailProvider = { name, ...object(ROW)(row, where) };
  const { title, mx } = provider;
  const isDefault = name === 'default';
  if (isDefault !== (title === null)) throw new WrongValue(`${where}.title`, title, 'null in "default" only');
  if (isDefault !== (mx.length === 0)) throw new WrongValue(`${where}.mx`, mx, 'empty in "default" only');
  return Object.freeze(provider);
}

export interface MailProviders {
  /** The operator of a mail host (lower case, no trailing dot); the most specific suffix wins, `fallback` when none fits. */
  forMailHost(mxHost: string): MailProvider;
  /** The operator that gives mailboxes on this very domain to the public. */
  forDomain(domain: string): MailProvider | null;
  /** The row of all mail hosts without one of their own. Its `title` is null. */
  readonly fallback: MailProvider;
  /** All rows but the fallback. */
  readonly all: readonly MailProvider[];
}

/** The memo's bound: more mail hosts than a list of a million addresses has, so that only hostile input empties it. */
const MAX_REMEMBERED = 50_000;

/**
 * Reads `config/mail-providers.json`: an object of rows by name, one of them `default`.
 * @throws Error naming row and field when a value, a duplicate or an unknown member makes no sense; meant for the start.
 */
export function parseMailProviders(json: unknown): MailProviders {
  if (!isObject(json)) {
    throw new Error('config/mail-providers.json: must be an object of rows by name');
  }
  const rows = Object.entries(json).map(([name, row]) => providerRow(name, row));
  const fallback = rows.find(({ name }) => name === 'default');
  if (!fallback) throw new Error('config/mail-providers.json: the row "default" is missing');
  const all = rows.filter((row) => row !== fallback);
  const bySuffix = indexed(all, 'mx');
  const byDomain = indexed(all, 'domains');
  const remembered = new Memo<string, MailProvider>(MAX_REMEMBERED);
  return {
    fallback,
    all,
    forDomain: (domain) => byDomain.get(domain) ?? null,
    forMailHost: (mxHost) => remembered.get(mxHost) ?? remembered.set(mxHost, bySuffixOf(mxHost, bySuffix) ?? fallback),
  };
}

function bySuffixOf(host: string, bySuffix: ReadonlyMap<string, MailProvider>): MailProvider | undefined {
  for (let suffix = host; ;) {
    const provider = bySuffix.get(suffix);
    const dot = suffix.indexOf('.');
    if (provider || dot === -1) return provider;
    suffix = suffix.slice(dot + 1);
  }
}

function indexed(rows: readonly MailProvider[], field: 'mx' | 'domains'): Map<string, MailProvider> {
  const index = new Map<string, MailProvider>();
  for (const row of rows) {
    for (const name of row[field]) {
      const other = index.get(name);
      if (other) throw new Error(`config/mail-providers.json ${row.name}.${field}: ${name} is also in ${other.name}`);
      index.set(name, row);
    }
  }
  return index;
}
