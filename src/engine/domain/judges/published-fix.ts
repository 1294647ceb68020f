import type { DnsAnswer, MxRecord } from '../../../mail-dns/domain-dns.js';
import { isAbsence, recordsOf } from '../../../mail-dns/domain-dns.js';
import type { FactDns, FactsOutside } from '../facts.js';
import type { DnsFix } from '../finding.js';

/** The DNS as it is once a fix is published. */
export function publishedDns(dns: FactDns, fix: DnsFix): FactDns {
  const at = fix.name.replace(/\.$/, '');
  const isThere = (name: string) => name.toLowerCase() === at.toLowerCase();
  if (fix.type === 'TXT')
    return { ...dns, txt: async (name) => (isThere(name) ? replaced(await dns.txt(name), fix, TEXT) : dns.txt(name)) };
  if (fix.type === 'MX')
    return {
      ...dns,
      mx: async (name) => (isThere(name) ? replaced(await dns.mx(name), fix, MAIL_HOST) : dns.mx(name)),
    };
  return dns;
}

/** The web server of the policy of MTA-STS once a fix is published; it gives the file the type that it gave the one before. */
export function publishedOutside(outside: FactsOutside, { type, value }: DnsFix): FactsOutside {
  if (type !== 'file' || value === null) return outside;
  return {
    ...outside,
    stsPolicy: async (domain) => {
      const before = await outside.stsPolicy(domain);
      const mediaType = before.outcome === 'found' ? before.mediaType : 'text/plain';
      return { outcome: 'found', text: value, mediaType };
    },
  };
}

interface Form<T> {
  write(record: T): string;
  read(text: string): T;
}

const TEXT: Form<string> = { write: (text) => text, read: (text) => text };
/** `10 mx.example.com.` */
const MAIL_HOST: Form<MxRecord> = {
  write: ({ preference, exchange }) => `${preference} ${exchange}.`,
  read: (text) => {
    const [preference, exchange = ''] = text.split(' ');
    return { preference: Number(preference), exchange: exchange.replace(/\.$/, '') };
  },
};

function replaced<T>(answer: DnsAnswer<T>, { current, value }: DnsFix, form: Form<T>): DnsAnswer<T> {
  if (answer.outcome !== 'found' && !isAbsence(answer)) return answer;
  const gone = new Set(current?.split('\n'));
  const left = recordsOf(answer).filter((record) => !gone.has(form.write(record)));
  const records = value === null ? left : [...left, form.read(value)];
  return records.length === 0 ? { outcome: 'nodata' } : { outcome: 'found', records, ttlSeconds: 0 };
}
