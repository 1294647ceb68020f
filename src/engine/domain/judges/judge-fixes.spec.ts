import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CERTAIN_FIXES,
  dnsOf,
  HEALTHY,
  NOW,
  outsideOf,
  policy,
  published,
  STRONG,
  STS_URL,
  type Zone,
} from '../../../../test/support/domain-zones.js';
import { gatherFacts } from '../gather-facts.js';
import { judgeDomain } from './judge-domain.js';
import { examineDomain } from './examine-domain.js';
import type { PublishedDmarc } from '../facts.js';
import { type DomainFinding, SEVERITIES } from '../finding.js';

interface Asked {
  readonly senders?: readonly string[];
  readonly selectors?: readonly string[];
  readonly lastDmarc?: PublishedDmarc;
  readonly searchesKeys?: boolean;
  readonly over?: Promise<unknown>;
}

async function examine(zone: Zone, { senders = [], selectors = ['s1'], over, ...asked }: Asked = {}) {
  const about = { domain: 'example.com', selectors, senders, ...asked };
  const within = { now: NOW, ...(over !== undefined && { over }) };
  return (await examineDomain(about, dnsOf(zone), outsideOf(zone), within)).findings;
}

/** What is wrong with the domain, without judging the fixes of that. */
async function findingsOf(zone: Zone, senders: readonly string[]) {
  const asked = { domain: 'example.com', selectors: ['s1'], senders };
  return judgeDomain(await gatherFacts(asked, dnsOf(zone), outsideOf(zone)), NOW);
}

async function fixOf(code: string, change: Zone, asked: Asked = {}) {
  const found = (await examine({ ...HEALTHY, ...change }, asked)).find((one) => one.code === code);
  return found?.fix ?? null;
}

const dmarc = (record: string): Zone => ({ '_dmarc.example.com': [record] });
const RUA = 'rua=mailto:r@example.com';

describe('a fix', () => {
  it.each<[string, string, Zone, Asked]>([
    [
      'an alias whose other name the MTA-STS policy does not cover',
      'mx_is_alias',
      { 'CNAME mx2.example.com': ['host.provider.example'], 'A host.provider.example': ['8.8.4.2'] },
      {},
    ],
    [
      'an include that has vanished, when a sender is covered by nothing else',
      'spf_include_missing',
      { 'example.com': ['v=spf1 mx include:gone.example -all'] },
      { senders: ['8.8.4.9'] },
    ],
    [
      'an include that has vanished, when the record lets nobody send without it',
      'spf_include_missing',
      { 'example.com': ['v=spf1 include:gone.example -all'] },
      {},
    ],
    [
      'a retired tag beside words that nobody can read',
      'dmarc_tag_retired',
      dmarc(`v=DMARC1; nonsense; p=reject; rf=afrf; ${RUA}`),
      {},
    ],
    [
      'a retired tag beside a policy that nobody can read',
      'dmarc_tag_retired',
      dmarc(`v=DMARC1; p=qarantine; rf=afrf; ${RUA}`),
      {},
    ],
    [
      'a share of mail, without which the policy applies to all',
      'dmarc_tag_retired',
      dmarc(`v=DMARC1; p=reject; pct=50; ${RUA}`),
      {},
    ],
    [
      'the agreement of another domain',
      'dmarc_rua_unauthorised',
      dmarc('v=DMARC1; p=reject; rua=mailto:r@other.example'),
      {},
    ],
    [
      'a key that stands in the zone of a provider',
      'dkim_testing',
      {
        's1._domainkey.example.com': [`v=DKIM1; t=y; p=${STRONG}`],
        'CNAME s1._domainkey.example.com': ['s1.provider.example'],
      },
      {},
    ],
    [
      'an alias, where nobody knows how the mail hosts encrypt',
      'mx_is_alias',
      { 'CNAME mx2.example.com': ['mx1.example.com'], 'TLS mx1.example.com': 'silent' },
      {},
    ],
    [
      'that nobody may send, where a key is published',
      'spf_missing',
      { 'example.com': [], 'MX example.com': ['0 .'] },
      {},
    ],
    [
      'that nobody may send, where no key was found',
      'spf_missing',
      { 'example.com': [], 'MX example.com': ['0 .'], 's1._domainkey.example.com': [] },
      { selectors: [] },
    ],
    [
      'that nobody may send, where no key was looked for',
      'spf_missing',
      { 'example.com': [], 'MX example.com': ['0 .'] },
      { selectors: [], searchesKeys: false },
    ],
  ])('a fix needs you about %s', async (_, code, change, asked) => {
    expect(await fixOf(code, change, asked)).toMatchObject({ confidence: 'needs_you' });
  });

  it('a fix says what would be wrong once it is published', async () => {
    const { why } = (await fixOf('mx_is_alias', {
      'CNAME mx2.example.com': ['host.provider.example'],
      'A host.provider.example': ['8.8.4.2'],
      'TLS host.provider.example': ['name mx2.example.com'],
    }))!;
    expect(why).toMatch(/; publishing it would cause .*sts_mx_not_covered/);
  });

  it('a fix is certain where nothing speaks against it', async () => {
    const alias: Zone = { 'CNAME mx2.example.com': ['host.example.com'], 'A host.example.com': ['8.8.4.2'] };
    const covered = { [STS_URL]: [policy('enforce', ['*.example.com'])] };
    expect(await fixOf('mx_is_alias', { ...alias, ...covered })).toMatchObject({ confidence: 'certain' });
    const include = { 'example.com': ['v=spf1 mx include:gone.example -all'] };
    expect(await fixOf('spf_include_missing', include)).toMatchObject({
      value: 'v=spf1 mx -all',
      confidence: 'certain',
    });
    const retired = dmarc(`v=DMARC1; p=reject; pct=100; rf=afrf; ${RUA}`);
    expect(await fixOf('dmarc_tag_retired', retired)).toMatchObject({ confidence: 'certain' });
  });

  it('a fix keeps a policy that pct=0 has held back from being applied by t=y', async () => {
    expect(await fixOf('dmarc_tag_retired', dmarc(`v=DMARC1; p=reject; pct=0; ${RUA}`))).toMatchObject({
      value: `v=DMARC1; p=reject; ${RUA}; t=y`,
      confidence: 'needs_you',
    });
  });

  it('a fix of a DMARC record that has vanished is the record that was there', async () => {
    const record = `v=DMARC1; p=reject; ${RUA}`;
    const lastDmarc = { at: 'example.com', record };
    const change = { '_dmarc.example.com': [] };
    expect(await fixOf('dmarc_missing', change, { lastDmarc })).toMatchObject({
      name: '_dmarc.example.com.',
      value: record,
      confidence: 'needs_you',
    });
    expect(await fixOf('dmarc_missing', change)).toMatchObject({ value: 'v=DMARC1; p=none', confidence: 'certain' });
  });

  it('a fix is judged for a bounded number of faults, and needs you beyond', async () => {
    const hosts = Array.from({ length: 19 }, (_, index) => `${index} gone${index}.example.com.`);
    const selectors = Array.from({ length: 28 }, (_, index) => `t${index}`);
    const keys = selectors.map((one) => [`${one}._domainkey.example.com`, [`v=DKIM1; t=y; p=${STRONG}`]] as const);
    const zone = { ...HEALTHY, ...Object.fromEntries(keys), 'MX example.com': ['0 mx1.example.com.', ...hosts] };
    const fixes = (await examine(zone, { selectors })).flatMap(({ fix }) => fix?.confidence ?? []);
    expect(fixes.filter((one) => one === 'certain').length).toBeLessThanOrEqual(40);
    expect(fixes).toContain('needs_you');
  });
});

describe('judging many fixes', () => {
  const selectors = Array.from({ length: 12 }, (_, index) => `t${index}`);
  const keys = selectors.map((one) => [`${one}._domainkey.example.com`, [`v=DKIM1; t=y; p=${STRONG}`]] as const);
  const zone = { ...HEALTHY, ...Object.fromEntries(keys) };

  it('judging many fixes lets others have their turn before each of them', async () => {
    let turns = 0;
    let waiting: NodeJS.Immediate;
    const others = () => {
      turns += 1;
      waiting = setImmediate(others);
    };
    others();
    const certain = (await examine(zone, { selectors })).filter(({ fix }) => fix?.confidence === 'certain');
    clearImmediate(waiting!);
    expect(certain).toHaveLength(12);
    expect(turns).toBeGreaterThanOrEqual(12);
  });

  it('judging many fixes ends with the time of the check: what was not judged by then is not certain', async () => {
    let end = () => {};
    const over = new Promise<void>((resolve) => (end = resolve));
    const judging = examine(zone, { selectors, over });
    // The second turn is the one in which the first fix is judged.
    setImmediate(() => setImmediate(end));
    const fixes = (await judging).flatMap(({ fix }) => fix ?? []);
    const certain = fixes.filter(({ confidence }) => confidence === 'certain');
    expect([certain.length > 0, certain.length < 12]).toEqual([true, true]);
    expect(fixes.at(-1)).toMatchObject({
      confidence: 'needs_you',
      why: 'drops the flag for tests; this was not tested, because the time of the check was over',
    });
  });
});

/** What a name of a random zone may hold; `undefined` is as of a healthy domain. */
const CHOICES = {
  'MX example.com': [
    undefined,
    ['10 mx1.example.com.'],
    ['10 mx1.example.com.', '20 gone.example.com.'],
    ['10 mx1.example.com.', '20 alias.example.com.'],
    ['10 alias.example.com.', '20 gone.example.com.', '30 mx2.example.com.'],
    ['10 mx1.example.com.', '20 private.example.com.'],
    ['0 .'],
    [],
    'silent',
  ],
  'CNAME alias.example.com': [['mx2.example.com'], ['host.provider.example'], ['gone.provider.example']],
  'A host.provider.example': [undefined, ['8.8.4.3']],
  'TLS host.provider.example': [undefined, ['name alias.example.com'], 'silent'],
  'TLS mx2.example.com': [undefined, ['name other.example.com'], ['none'], 'silent'],
  'A mx2.example.com': [undefined, 'silent'],
  'example.com': [
    undefined,
    [],
    'silent',
    ['v=spf1 include:gone.example -all'],
    ['v=spf1 mx include:gone.example ~all'],
    ['v=spf1 ipv4:8.8.4.0/24 mx -all'],
    ['v=spf1 ipv4:8.8.4.0/24 include:gone.example ?all'],
    ['v=spf1 a:x.example a:y.example a:z.example mx -all'],
    ['v=spf1 a:x.example a:y.example a:z.example include:quiet.example'],
    ['v=spf1 mx +all'],
    ['v=spf1 mx -all ~all'],
    ['v=spf1 mx -all ip4:8.8.4.9 ?all'],
    ['v=spf1 mx redirect=other.example ~all'],
    ['v=spf1 redirect=other.example -all'],
    ['v=spf1 mx +MX include:gone.example mx -all'],
    ['v=spf1 mx ip4:8.8.4.9 ip4:8.8.4.9 redirect=other.example -all all'],
    ['v=spf1 mx -all', 'v=DMARC1; p=reject'],
    ['v=spf1 ip4:8.8.4.9', 'v=spf1 -all'],
    [`v=spf1 mx ${Array.from({ length: 9 }, (_, index) => `a:v${index}.example`).join(' ')} a -all`],
  ],
  '_dmarc.example.com': [
    undefined,
    [],
    'silent',
    ...['p=reject', 'p=qarantine', 'p=none', 'p=reject; sp=none', 'nonsense; p=reject', 'p=quarantine; t=y'].flatMap(
      (p) =>
        ['', 'pct=0; ', 'pct=50; ', 'pct=100; rf=afrf; '].flatMap((tags) =>
          ['rua=mailto:r@example.com', 'rua=mailto:r@other.example', 'ri=3600', 'adkim=strict; aspf=s'].map((rest) => [
            `v=DMARC1; ${p}; ${tags}${rest}`,
          ]),
        ),
    ),
    ['v=DMARC1; p=reject; rua=mailto:r@example.com', 'v=DMARC1 p=none'],
    ['v=DMARC1; p=reject; aspf=strict', 'DMARC1; p=none', 'v=dmarc1; p=none'],
    ['v=DMARC1 p=none'],
  ],
  's1._domainkey.example.com': [undefined, [`v=DKIM1; t=y; p=${STRONG}`], [`v=DKIM1; t=y:s; p=AAAA`], [], 'silent'],
  'CNAME s1._domainkey.example.com': [undefined, undefined, ['s1.provider.example'], 'silent'],
  '_mta-sts.example.com': [undefined, [], ['v=STSv1; id=20261101'], 'silent'],
  [STS_URL]: [
    undefined,
    [policy('enforce', ['mx1.example.com'])],
    [policy('enforce', ['*.example.com'])],
    [policy('testing', ['mx1.example.com', 'mx2.example.com'])],
    [policy('none', [])],
    ['<html></html>'],
    [],
  ],
  'default._bimi.example.com': [undefined, []],
  'TLSA _25._tcp.host.provider.example': [undefined, undefined, [`3 1 1 ${'00'.repeat(32)}`]],
  'AUTHENTIC TLSA': [undefined, ['yes']],
  'DNSSEC example.com': [undefined, ['insecure'], ['unknown']],
} satisfies Readonly<Record<string, readonly (readonly string[] | 'silent' | undefined)[]>>;

const ZONES = fc
  .record(Object.fromEntries(Object.entries(CHOICES).map(([name, all]) => [name, fc.constantFrom(...all)])))
  .map((chosen): Zone => {
    const set = Object.entries(chosen).filter(([, value]) => value !== undefined);
    return {
      ...HEALTHY,
      'A private.example.com': ['10.0.0.1'],
      'quiet.example': 'silent',
      ...Object.fromEntries(set),
    };
  });
const SENDERS = fc.constantFrom<readonly string[]>([], ['8.8.4.9'], ['8.8.4.1', '8.8.4.9']);

const rank = (found: DomainFinding | undefined) =>
  found === undefined ? SEVERITIES.length : SEVERITIES.indexOf(found.severity);
const same = (one: DomainFinding) => (other: DomainFinding) => one.code === other.code && one.subject === other.subject;

describe('in 2,000 random zones a fix that is certain', () => {
  it('in 2,000 random zones a fix that is certain ends its finding, makes none worse, and brings only lesser ones of the same area', async () => {
    const met = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(ZONES, SENDERS, async (zone, senders) => {
        const before = await examine(zone, { senders });
        for (const found of before) {
          const { fix } = found;
          if (fix?.confidence !== 'certain') continue;
          met.set(found.code, (met.get(found.code) ?? 0) + 1);
          expect(zone[`CNAME ${fix.name.replace(/\.$/, '')}`]).toBeUndefined();
          const after = await findingsOf(published(zone, fix), senders);
          const words = `${found.code} by ${JSON.stringify(fix)}`;
          expect(after.some(same(found)), words).toBe(false);
          for (const one of after) {
            const was = before.find(same(one));
            if (rank(one) >= rank(was)) continue;
            expect([was, one.area], words).toEqual([undefined, found.area]);
            expect(rank(one), words).toBeGreaterThan(rank(found));
          }
        }
      }),
      { numRuns: 2_000, seed: 18, endOnFailure: true },
    );
    expect([...met.keys()].toSorted()).toEqual(CERTAIN_FIXES);
  });
});
