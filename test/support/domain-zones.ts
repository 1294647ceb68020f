import { generateKeyPairSync } from 'node:crypto';
import { DAY_MS } from '../../src/lib/durations.js';
import type { FetchedFile } from '../../src/engine/domain/bimi-record.js';
import type { FactDns, FactsOutside } from '../../src/engine/domain/facts.js';
import type { DnsFix, FindingCode } from '../../src/engine/domain/finding.js';
import type { RegistrationAnswer } from '../../src/engine/domain/registration.js';
import type { StsFetch } from '../../src/engine/domain/sts-policy.js';
import type { StartTlsOutcome } from '../../src/engine/domain/starttls.js';
import type { DnsAnswer, MxRecord } from '../../src/mail-dns/domain-dns.js';

/* What domains publish, as tables in memory: for judges, which know the world by their ports alone. */

/** Texts by name; `MX name` and `A name` beside them; with `NXDOMAIN` none of them exists. A name with the value `silent` does not answer. */
export type Zone = Readonly<Record<string, readonly string[] | 'silent'>>;

/** `DNSSEC name` holds what a resolver that validates makes of the zone. */
function validation(zone: Zone, name: string): 'insecure' | 'bogus' | 'unknown' {
  const [state] = zone[`DNSSEC ${name}`] ?? [];
  return state === 'insecure' || state === 'bogus' ? state : 'unknown';
}

/** `AUTHENTIC TLSA` says that the records were validated. */
function tlsaOf(zone: Zone, name: string) {
  const texts = zone[`TLSA ${name}`] ?? [];
  const records = (texts === 'silent' ? [] : texts).map((text) => {
    const [usage, selector, matchingType, data = ''] = text.split(' ');
    return { usage: Number(usage), selector: Number(selector), matchingType: Number(matchingType), data };
  });
  return texts === 'silent' ? null : { records, isAuthentic: zone['AUTHENTIC TLSA'] !== undefined };
}

export function dnsOf(zone: Zone): FactDns {
  const look = (key: string): Promise<DnsAnswer<string>> => {
    const records = zone[key];
    if (records === 'silent') return Promise.resolve({ outcome: 'timeout' });
    if (zone['NXDOMAIN'] !== undefined) return Promise.resolve({ outcome: 'nxdomain' });
    if (records === undefined || records.length === 0) return Promise.resolve({ outcome: 'nodata' });
    return Promise.resolve({ outcome: 'found', records, ttlSeconds: 60 });
  };
  return {
    txt: (name) => look(name),
    a: (name) => look(`A ${name}`),
    aaaa: (name) => look(`AAAA ${name}`),
    ptr: (name) => look(`PTR ${name}`),
    ns: (name) => look(`NS ${name}`),
    cname: (name) => look(`CNAME ${name}`),
    tlsa: (name) => Promise.resolve(tlsaOf(zone, name)),
    dnssec: (name) => Promise.resolve(zone[`DNSSEC ${name}`] === undefined ? 'secure' : validation(zone, name)),
    mx: async (name): Promise<DnsAnswer<MxRecord>> => {
      const answer = await look(`MX ${name}`);
      if (answer.outcome !== 'found') return answer;
      const records = answer.records.map((text) => {
        const [preference, exchange = ''] = text.split(' ');
        return { preference: Number(preference), exchange: exchange.replace(/\.$/, '') };
      });
      return { ...answer, records };
    },
  };
}

export const KEY = (bits: number) =>
  generateKeyPairSync('rsa', { modulusLength: bits })
    .publicKey.export({ format: 'der', type: 'spki' })
    .toString('base64');
export const STRONG = KEY(2048);

export const STS_URL = 'file https://mta-sts.example.com/.well-known/mta-sts.txt';
export const STS_TYPE = `type of ${STS_URL}`;
export const policy = (mode: string, mx: readonly string[], maxAge = 604_800) =>
  ['version: STSv1', `mode: ${mode}`, ...mx.map((host) => `mx: ${host}`), `max_age: ${maxAge}`, ''].join('\r\n');

export function outsideOf(zone: Zone): FactsOutside {
  const text = zone[STS_URL];
  const fetched: StsFetch =
    text === undefined || text === 'silent'
      ? { outcome: 'unknown' }
      : text[0] === undefined
        ? { outcome: 'failed', why: 'its host does not exist' }
        : { outcome: 'found', text: text[0], mediaType: zone[STS_TYPE]?.[0] ?? 'text/plain' };
  const startTls = (host: string) => Promise.resolve(looked(zone[`TLS ${host}`], host));
  const registration = () => Promise.resolve(registeredUntil(zone));
  return { stsPolicy: () => Promise.resolve(fetched), startTls, registration, ...markOf(zone) };
}

export const NOW = Date.UTC(2026, 10, 26);
export const KEY_DIGEST = 'ab'.repeat(32);
const CERTIFICATE_DIGEST = 'cd'.repeat(32);

export const URLS = { logo: 'https://brand.example.com/logo.svg', certificate: 'https://brand.example.com/mark.pem' };

/** The logo's file holds its problems; the certificate's `days 5`, `name …` and `use other`. A file that is not there cannot be fetched. */
function markOf(zone: Zone) {
  const read = <T>(url: string, content: (words: readonly string[]) => T): Promise<FetchedFile<T>> => {
    const file = zone[`file ${url}`];
    if (file === 'silent') return Promise.resolve({ outcome: 'unknown' });
    if (file === undefined) return Promise.resolve({ outcome: 'failed', why: 'its host answers 404' });
    return Promise.resolve({ outcome: 'found', content: content(file) });
  };
  return {
    logo: (url: string) => read(url, (problems) => ({ bytes: 2_048, problems })),
    markCertificate: (url: string) =>
      read(url, (words) => {
        const said = new Map(words.map((text) => text.split(' ') as [string, string]));
        return {
          names: [said.get('name') ?? 'example.com'],
          issuer: 'Some Authority',
          validTo: NOW + Number(said.get('days') ?? '300') * DAY_MS,
          isForMarks: said.get('use') === undefined,
        };
      }),
  };
}

/** `REGISTRATION` has the days that are left, `REGISTRATION STATUS` what else the registry says. */
function registeredUntil(zone: Zone): RegistrationAnswer {
  const days = zone['REGISTRATION'] ?? ['300'];
  if (days === 'silent') return { outcome: 'unknown', why: 'no_answer' };
  const said = zone['REGISTRATION STATUS'] ?? [];
  const statuses = said === 'silent' ? [] : said;
  const expiresAt = NOW + Number(days[0]) * DAY_MS;
  const registration = { expiresAt, statuses, registrar: 'Some Registrar', nameServers: [] };
  return { outcome: 'found', domain: 'example.com', registration };
}

/** How a host encrypts, in words such as `days 5`; without any, well. */
function looked(words: Zone[string] | undefined, host: string): StartTlsOutcome {
  if (words === 'silent') return { outcome: 'unknown', why: 'no_answer' };
  const said = new Map((words ?? []).map((text) => text.split(' ') as [string, string]));
  if (said.has('none')) return { outcome: 'not_offered' };
  if (said.has('failed')) return { outcome: 'failed', detail: 'handshake failure' };
  const own = {
    names: [said.get('name') ?? host],
    issuer: 'Some Authority',
    validFrom: NOW - 30 * DAY_MS,
    validTo: NOW + Number(said.get('days') ?? '60') * DAY_MS,
    certificateDigests: { sha256: CERTIFICATE_DIGEST, sha512: CERTIFICATE_DIGEST.repeat(2) },
    keyDigests: { sha256: KEY_DIGEST, sha512: KEY_DIGEST.repeat(2) },
  };
  const tls = { protocol: said.get('protocol') ?? 'TLSv1.3', chain: [own], distrust: said.get('distrust') ?? null };
  return { outcome: 'encrypted', tls };
}

/** A domain of which there is nothing to say. */
export const HEALTHY: Zone = {
  'MX example.com': ['10 mx1.example.com.', '20 mx2.example.com.'],
  'A mx1.example.com': ['8.8.4.1'],
  'A mx2.example.com': ['8.8.4.2'],
  'PTR 1.4.8.8.in-addr.arpa': ['mx1.example.com'],
  'PTR 2.4.8.8.in-addr.arpa': ['mx2.example.com'],
  'example.com': ['v=spf1 mx -all', 'something else'],
  '_dmarc.example.com': ['v=DMARC1; p=reject; rua=mailto:reports@example.com'],
  's1._domainkey.example.com': [`v=DKIM1; k=rsa; p=${STRONG}`],
  '_mta-sts.example.com': ['v=STSv1; id=20261101'],
  '_smtp._tls.example.com': ['v=TLSRPTv1; rua=mailto:tls@example.com'],
  [STS_URL]: [policy('enforce', ['mx1.example.com', 'mx2.example.com'])],
  'default._bimi.example.com': [`v=BIMI1; l=${URLS.logo}; a=${URLS.certificate}`],
  [`file ${URLS.logo}`]: [],
  [`file ${URLS.certificate}`]: [],
};

/** The zone after a fix was published. */
export function published(zone: Zone, { name, type, current, value }: DnsFix): Zone {
  const key = `${type === 'TXT' ? '' : `${type} `}${name.replace(/\.$/, '')}`;
  if (type === 'file') return { ...zone, [key]: [value ?? ''] };
  const before = zone[key] === 'silent' ? [] : (zone[key] ?? []);
  const left = before.filter((record) => !(current ?? '').split('\n').includes(record));
  return { ...zone, [key]: value === null ? left : [...left, value] };
}

/** Findings whose fix may be certain, each of which random zones must meet. */
export const CERTAIN_FIXES: readonly FindingCode[] = [
  'dkim_testing',
  'dmarc_alignment_mode',
  'dmarc_missing',
  'dmarc_stray_record',
  'dmarc_tag_retired',
  'mx_is_alias',
  'mx_unresolvable',
  'spf_include_missing',
  'spf_redirect_ignored',
  'spf_sender_not_covered',
  'spf_syntax',
  'spf_term_repeated',
  'spf_terms_after_all',
  'spf_too_many_lookups',
  'spf_void_lookups',
  'sts_mx_not_covered',
];
