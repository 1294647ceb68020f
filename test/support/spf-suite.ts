import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DomainDns, DnsAnswer, MxRecord } from '../../src/mail-dns/domain-dns.js';

/*
 * The test suite of RFC 7208 (openspf.org, release 2014.04), as JSON: test/corpus/spf/rfc7208-tests.LICENSE says who wrote it and under
 * which licence it may be given on.
 */

export interface SpfCase {
  readonly host: string;
  readonly helo: string;
  readonly mailfrom: string;
  readonly results: readonly string[];
}
interface ZoneRecord {
  readonly type: string;
  readonly value: unknown;
}
interface Section {
  readonly description: string;
  readonly tests: Readonly<Record<string, SpfCase>>;
  readonly zones: Readonly<Record<string, readonly ZoneRecord[]>>;
}

const path = join(import.meta.dirname, '../corpus/spf/rfc7208-tests.json');
export const SPF_SUITE = JSON.parse(readFileSync(path, 'utf8')) as readonly Section[];

/** A DNS of a section's zone; a name's `TIMEOUT` stands for all types that it does not have. */
export function suiteDns(zones: Section['zones']): DomainDns {
  const byName = new Map(Object.entries(zones).map(([name, records]) => [name.toLowerCase(), records]));
  const look = <T>(name: string, type: string, read: (value: unknown) => T, depth = 0): Promise<DnsAnswer<T>> => {
    const records = byName.get(name.toLowerCase().replace(/\.$/, ''));
    if (records === undefined) return Promise.resolve({ outcome: 'nxdomain' });
    const alias = records.find((one) => one.type === 'CNAME');
    if (alias !== undefined && depth < 8) return look(String(alias.value), type, read, depth + 1);
    const own = records.filter((one) => one.type === type);
    // A name that has SPF records only has them as TXT: the suite is older than the end of the type SPF.
    const as = type === 'TXT' && own.length === 0 ? records.filter((one) => one.type === 'SPF') : own;
    const found = as.filter((one) => one.value !== 'NONE');
    if (found.length > 0)
      return Promise.resolve({ outcome: 'found', records: found.map(({ value }) => read(value)), ttlSeconds: 60 });
    return Promise.resolve({ outcome: records.some((one) => one.type === 'TIMEOUT') ? 'timeout' : 'nodata' });
  };
  return {
    txt: (name) => look(name, 'TXT', (value) => (Array.isArray(value) ? value.join('') : String(value))),
    a: (name) => look(name, 'A', String),
    aaaa: (name) => look(name, 'AAAA', String),
    ptr: (name) => look(name, 'PTR', (value) => String(value).toLowerCase().replace(/\.$/, '')),
    mx: (name) =>
      look<MxRecord>(name, 'MX', (value) => {
        const [preference, exchange] = value as [number, string];
        return { preference, exchange: exchange.toLowerCase().replace(/\.$/, '') };
      }),
  };
}

/** Who sends in a case: without a sender, the name in HELO is asked for (RFC 7208 section 2.4). */
export function questionOf({ host: address, helo, mailfrom }: SpfCase) {
  const sender = mailfrom === '' ? `postmaster@${helo}` : mailfrom;
  return { address, domain: sender.slice(sender.lastIndexOf('@') + 1), sender, helo };
}
