import { DAY_MS } from '../lib/durations.js';
import type { FactDns, FactsOutside } from '../engine/domain/facts.js';
import type { Registration } from '../engine/domain/registration.js';
import { writeStsPolicy } from '../engine/domain/sts-policy.js';
import type { PresentedTls } from '../engine/ports.js';
import type { DnsAnswer } from '../mail-dns/domain-dns.js';

/** What a label of a domain does to a domain of which there is nothing to say. Texts by name, other types before the name. */
type Zone = Readonly<Record<string, readonly string[]>>;

const TTL_SECONDS = 300;
/** Keys whose private halves nobody has kept. */
const KEY_2048 =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAoPoVj/FrUCS/6WUGvpYWTr+zwmDC0O35Q6YA9zGqg+1CY1VSdQusUhSF0jAQJbbR6B711DHAdbarY0AjVdLN3zzNI5jI+8jnFC0UNOIE/AGEK/QmNvWqZ9yoGwm7tX9KYQ8N0VixBGOy9PeWlDFTa7dN4vOJFoT1O/xSQzmwa/O0wubSJL8BpEOK5u1snwgYpjVIqZS0/AGK0KvelBY5YqKtJ8i5Ce48Nrh1UkcLEEPT/JuwBxAmgRWIUyvv6mcAGGDvc5FYADNb0CNs0Ls8WPPxFAF1nAuX62dgN9fUCtZaOUW7k+8xtGU8bo6GBYAs0KqVAHL0ysz1nEgQ0IKjzwIDAQAB';
const ANOTHER_KEY =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA0IprhteZoALqIsdABP85GKUiMa2ysZGXDOcPY5frmges0+Vj7ecRkj1gofwH4RrACnZSlX5Vq1GrwKvtO71MSifEXn9mgM4AqIjTGgPVC+wWBKpeAIOUjDgToQduBC9cSlmwnPC5k74QalmCfz7cuKUOtXDC7STe+l/CkC2w06dW4n7bmde5gwmuJ1554W0djJ7oOHSHbkxqdqEyRQS759/1CwkExZugPVYHD8p0t2Jky4z8zCHY8cyNe6fZJoYclbw+txCjw5cw4G2ifKphpZVJ7kRUSxWoyIsMR/gsjtsHpwO0PjT9qk6LnFo6154dmNR1RbVW4w9EDW0OXrN+UQIDAQAB';
const KEY_1024 =
  'MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDbTvhA+0/s7vbjB2EfH1zADPLPp+uQM9lpYC5UqZ2DYKYd/GpiqzR4quvSVBe81AROzD0cro+AQjtnlS/SDIe+tZsxSSAt/lw3VxIQ+atTlAYcB4JA+dBgdZpE2X9ZP55No9TjOwNOqHA36fxq0XnvdQO4VkRadpq4gxhjhRsZEwIDAQAB';

function healthyZone(domain: string): Zone {
  return {
    [`NS ${domain}`]: ['ns1.example.net', 'ns2.example.net'],
    [`MX ${domain}`]: [`mx1.${domain}`, `mx2.${domain}`],
    [`A ${domain}`]: ['8.8.4.27'],
    [`A mx1.${domain}`]: ['8.8.4.25'],
    [`A mx2.${domain}`]: ['8.8.4.26'],
    'PTR 25.4.8.8.in-addr.arpa': [`mx1.${domain}`],
    'PTR 26.4.8.8.in-addr.arpa': [`mx2.${domain}`],
    [domain]: ['v=spf1 mx -all'],
    [`s1._domainkey.${domain}`]: [`v=DKIM1; k=rsa; p=${KEY_2048}`],
    [`_dmarc.${domain}`]: [`v=DMARC1; p=reject; rua=mailto:reports@${domain}`],
    [`default._bimi.${domain}`]: [`v=BIMI1; l=https://brand.${domain}/logo.svg; a=https://brand.${domain}/mark.pem`],
    [`_mta-sts.${domain}`]: ['v=STSv1; id=20261101'],
    [`_smtp._tls.${domain}`]: [`v=TLSRPTv1; rua=mailto:tls@${domain}`],
  };
}

const CHANGES: Readonly<Record<string, (domain: string) => Zone>> = {
  'spf-broken': (domain) => ({ [domain]: [`v=spf1 mx include:gone.${domain} -all`] }),
  'spf-too-many': (domain) => {
    const names = Array.from({ length: 11 }, (_, index) => `out${index}.${domain}`);
    return {
      [domain]: [`v=spf1 ${names.map((name) => `a:${name}`).join(' ')} -all`],
      ...Object.fromEntries(names.map((name) => [`A ${name}`, ['8.8.4.25']])),
    };
  },
  'spf-silent': (domain) => ({ [domain]: [`v=spf1 mx include:silent.${domain} -all`] }),
  // Nor a logo, which asks for a policy.
  'no-dmarc': (domain) => ({ [`_dmarc.${domain}`]: [], [`default._bimi.${domain}`]: [] }),
  moved: (domain) => ({
    [`NS ${domain}`]: ['ns1.example.org', 'ns2.example.org'],
    [`MX ${domain}`]: [`mx1.${domain}`, `mx3.${domain}`],
    [`A mx3.${domain}`]: ['8.8.4.26'],
    [`PTR 26.4.8.8.in-addr.arpa`]: [`mx3.${domain}`],
    [domain]: [`v=spf1 mx a:mx1.${domain} -all`],
    [`s1._domainkey.${domain}`]: [`v=DKIM1; k=rsa; p=${ANOTHER_KEY}`],
  }),
  'weak-dkim': (domain) => ({ [`s1._domainkey.${domain}`]: [`v=DKIM1; k=rsa; p=${KEY_1024}`] }),
};

/** Days until the certificates of the mail hosts end, by label; all others have a quarter of a year. */
const CERTIFICATE_DAYS: Readonly<Record<string, number>> = { 'cert-expired': -3, 'cert-expiring': 5 };
const ANY_CERTIFICATE_DAYS = 90;
/** Days until the registration ends, by label; all others have a year. */
const REGISTRATION_DAYS: Readonly<Record<string, number>> = { expiring: 5 };
const ANY_REGISTRATION_DAYS = 365;
const DIGESTS = { sha256: 'a7'.repeat(32), sha512: 'a7'.repeat(64) };

/**
 * What others than the DNS say of the domains behind test keys: policies that name their mail hosts (none for `sts-broken`), certificates
 * that are right but for their end.
 * @param now milliseconds since the epoch @param run as of `simulatedDomain`
 */
export function simulatedOutside(domain: string, now: number, run = 1): FactsOutside {
  const label = labelOf(domain, run);
  const days = Object.hasOwn(CERTIFICATE_DAYS, label) ? CERTIFICATE_DAYS[label]! : ANY_CERTIFICATE_DAYS;
  const policy = {
    mode: 'enforce',
    patterns: [`mx1.${domain}`, label === 'moved' ? `mx3.${domain}` : `mx2.${domain}`],
    maxAgeSeconds: 604_800,
  } as const;
  return {
    stsPolicy: () =>
      Promise.resolve(
        label === 'sts-broken'
          ? { outcome: 'failed', why: 'its host does not exist' }
          : { outcome: 'found', text: writeStsPolicy(policy), mediaType: 'text/plain' },
      ),
    registration: () => Promise.resolve({ outcome: 'found', domain, registration: registrationOf(label, now) }),
    logo: () => Promise.resolve({ outcome: 'found', content: { bytes: 2_048, problems: logoProblems(label) } }),
    markCertificate: () =>
      Promise.resolve({
        outcome: 'found',
        content: { names: [domain], issuer: 'Example Authority', validTo: now + 300 * DAY_MS, isForMarks: true },
      }),
    startTls: (host) => Promise.resolve({ outcome: 'encrypted', tls: presented(host, now + days * DAY_MS) }),
  };
}

function logoProblems(label: string): readonly string[] {
  return label === 'bimi-broken' ? ['its svg element does not say baseProfile="tiny-ps"', 'it has scripts'] : [];
}

function registrationOf(label: string, now: number): Registration {
  const days = Object.hasOwn(REGISTRATION_DAYS, label) ? REGISTRATION_DAYS[label]! : ANY_REGISTRATION_DAYS;
  return {
    expiresAt: now + days * DAY_MS,
    statuses: label === 'on-hold' ? ['client hold'] : label === 'moved' ? [] : ['client transfer prohibited'],
    registrar: label === 'moved' ? 'Another Registrar' : 'Example Registrar',
    nameServers: ['ns1.example.net', 'ns2.example.net'],
  };
}

function presented(host: string, validTo: number): PresentedTls {
  const own = {
    names: [host],
    issuer: 'Example Authority',
    validFrom: validTo - 100 * DAY_MS,
    validTo,
    certificateDigests: DIGESTS,
    keyDigests: DIGESTS,
  };
  return { protocol: 'TLSv1.3', chain: [own], distrust: null };
}

/** Worlds that change from run to run: the label of the one that they are like, by run. */
const IN_TURN: Readonly<Record<string, (run: number) => string>> = {
  flapping: (run) => (run % 2 === 1 ? 'no-dmarc' : 'clean'),
  'moved-later': (run) => (run <= 4 ? 'clean' : 'moved'),
  'round-robin': (run) => (run % 2 === 1 ? 'clean' : 'moved'),
  'fixed-later': (run) => (run <= 2 ? 'no-dmarc' : 'clean'),
};

function labelOf(domain: string, run: number): string {
  const first = domain.split('.')[0]!;
  return Object.hasOwn(IN_TURN, first) ? IN_TURN[first]!(run) : first;
}

/**
 * What the domains behind test keys publish: the first label decides, as in `no-dmarc.example.com`, and nobody is asked. A label that is
 * none of them is a domain of which there is nothing to say.
 * @param run which check of the domain it is, from 1: `flapping` is broken in every other one, `fixed-later` in the first two;
 *   `moved-later` is another one from the fifth on, and `round-robin` is in turn one and the other
 */
export function simulatedDomain(domain: string, run = 1): FactDns {
  const label = labelOf(domain, run);
  const zone = { ...healthyZone(domain), ...(Object.hasOwn(CHANGES, label) ? CHANGES[label]!(domain) : {}) };
  const look = (key: string): Promise<DnsAnswer<string>> => {
    const records = Object.hasOwn(zone, key) ? zone[key]! : [];
    if (label === 'silent' || key === `silent.${domain}`) return Promise.resolve({ outcome: 'timeout' });
    if (records.length === 0) return Promise.resolve({ outcome: 'nodata' });
    return Promise.resolve({ outcome: 'found', records, ttlSeconds: TTL_SECONDS });
  };
  return {
    txt: look,
    a: (name) => look(`A ${name}`),
    aaaa: (name) => look(`AAAA ${name}`),
    ptr: (name) => look(`PTR ${name}`),
    // It stands at the registered domain, whatever is in front of it.
    ns: () => look(`NS ${domain}`),
    cname: (name) => look(`CNAME ${name}`),
    mx: async (name) => {
      const answer = await look(`MX ${name}`);
      if (answer.outcome !== 'found') return answer;
      const records = answer.records.map((exchange, index) => ({ exchange, preference: 10 * (index + 1) }));
      return { ...answer, records };
    },
    tlsa: () => Promise.resolve(label === 'silent' ? null : { records: [], isAuthentic: false }),
    dnssec: () => Promise.resolve(label === 'silent' ? 'unknown' : label === 'dnssec-bogus' ? 'bogus' : 'secure'),
  };
}
