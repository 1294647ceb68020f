import type { HostCaps } from '../ports.js';
import { providerRow } from './provider-row.js';

/** How much of us an operator's mail hosts bear, and in what portions. */
export interface ProviderCaps extends HostCaps {
  /** `MAIL FROM` commands on one connection before a fresh one. */
  readonly transactionsPerConnection: number;
  /** `RCPT TO` commands in one transaction. */
  readonly recipientsPerTransaction: number;
  /** Refused recipients on one connection before a fresh one. */
  readonly refusalsPerConnection: number;
}

/** One row of `config/mail-providers.json`: what is known of a mail operator. */
export interface MailProvider {
  /** The row's name in the file, such as `microsoft-365`. */
  readonly name: string;
  /** What people call it; null for the row of everybody who has none. */
  readonly title: string | null;
  /** Names that its mail hosts are, or are below. */
  readonly mx: readonly string[];
  /** Domains on which it gives mailboxes to the public. */
  readonly domains: readonly string[];
  /** It filters mail for other servers, so a generic refusal says less about the mailbox. */
  readonly gateway: boolean;
  /** Does `RCPT TO` tell whether the mailbox exists? `hides`: it accepts every name, and a 250 proves nothing. */
  readonly rcpt: 'honest' | 'varies' | 'hides';
  /** `no`: none of `domains` is a catch-all, so no probe is needed there; null: ask. */
  readonly ownDomainsCatchAll: 'no' | null;
  readonly caps: ProviderCaps;
  /** `required`: it refuses mail on a clear connection, so falling back to one is of no use. */
  readonly starttls: 'offered' | 'required';
  /** Why the row says so, with the source. */
  readonly why: string;
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

/** More mail hosts than a list of a million addresses has (21,400), so the memo is emptied by hostile input only. */
const REMEMBERED_HOSTS = 50_000;

/**
 * Reads `config/mail-providers.json`: an object of rows by name, one of them `default`.
 * @throws Error naming row and field when a value, a duplicate or an unknown member makes no sense; meant for the start.
 */
export function parseMailProviders(json: unknown): MailProviders {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new Error('config/mail-providers.json: must be an object of rows by name');
  }
  const rows = Object.entries(json).map(([name, row]) => providerRow(name, row));
  const fallback = rows.find(({ name }) => name === 'default');
  if (!fallback) throw new Error('config/mail-providers.json: the row "default" is missing');
  const all = rows.filter((row) => row !== fallback);
  const bySuffix = indexed(all, 'mx');
  const byDomain = indexed(all, 'domains');
  const remembered = new Map<string, MailProvider>();
  return {
    fallback,
    all,
    forDomain: (domain) => byDomain.get(domain) ?? null,
    forMailHost: (mxHost) => {
      const known = remembered.get(mxHost);
      if (known) return known;
      const provider = bySuffixOf(mxHost, bySuffix) ?? fallback;
      if (remembered.size >= REMEMBERED_HOSTS) remembered.clear();
      remembered.set(mxHost, provider);
      return provider;
    },
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
