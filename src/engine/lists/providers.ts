import { isObject } from '../../lib/checked-json.js';
import { Memo } from '../../lib/memo.js';
import { providerRow, type MailProvider } from './provider-row.js';

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
