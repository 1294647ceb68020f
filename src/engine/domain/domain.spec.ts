import { describe, expect, it } from 'vitest';
import {
  dnsOf,
  HEALTHY,
  KEY,
  KEY_DIGEST,
  NOW,
  outsideOf,
  policy,
  published,
  STRONG,
  STS_TYPE,
  STS_URL,
  URLS,
  type Zone,
} from '../../../test/support/domain-zones.js';
import { answeredAreas, hiddenCodes } from './domain-state.js';
import { dmarcWalk, readDmarc } from './dmarc.js';
import { examineDomain } from './judges/examine-domain.js';
import { gatherFacts } from './gather-facts.js';
import { type DomainFinding, type FindingArea, FINDINGS } from './finding.js';
import { isCovered, readStsPolicy } from './sts-policy.js';

const REJECT = 'v=DMARC1; p=reject; rua=mailto:reports@example.com';

async function findingsOf(
  zone: Zone,
  asked: { selectors?: string[]; senders?: string[] } = {},
): Promise<readonly DomainFinding[]> {
  const { selectors = ['s1'], senders = [] } = asked;
  const examined = await examineDomain({ domain: 'example.com', selectors, senders }, dnsOf(zone), outsideOf(zone), {
    now: NOW,
  });
  return examined.findings;
}

const codes = (findings: readonly DomainFinding[]) => findings.map(({ code }) => code);

/** What is broken, by what it is called. */
const BROKEN: readonly (readonly [code: string, zone: Zone, asked?: { selectors?: string[]; senders?: string[] }])[] = [
  ['domain_missing', { NXDOMAIN: ['yes'] }],
  ['mx_missing', { 'MX example.com': [], 'example.com': ['v=spf1 ip4:8.8.4.1 -all'] }],
  ['mx_null', { 'MX example.com': ['0 .'] }],
  ['mx_unresolvable', { 'MX example.com': ['10 mx1.example.com.', '20 gone.example.com.'] }],
  ['mx_private_address', { 'A mx2.example.com': ['10.0.0.1'] }],
  ['mx_is_alias', { 'CNAME mx2.example.com': ['mx1.example.com'] }],
  ['mx_is_address', { 'MX example.com': ['10 mx1.example.com.', '20 8.8.4.2.'] }],
  ['mx_null_not_alone', { 'MX example.com': ['0 .', '10 mx1.example.com.', '20 mx2.example.com.'] }],
  ['mx_single', { 'MX example.com': ['10 mx1.example.com.'] }],
  ['ptr_missing', { 'PTR 1.4.8.8.in-addr.arpa': [] }],
  ['ptr_not_forward', { 'PTR 1.4.8.8.in-addr.arpa': ['else.example.com'] }],
  ['spf_missing', { 'example.com': [] }],
  ['spf_missing', { 'example.com': [], 'MX example.com': ['0 .'] }],
  ['spf_multiple', { 'example.com': ['v=spf1 mx -all', 'v=spf1 a ~all'] }],
  ['spf_syntax', { 'example.com': ['v=spf1 ipv4:8.8.4.1 mx -all'] }],
  ['spf_syntax', { 'example.com': ['v=spf1 mx nonsense -all'] }],
  ['spf_include_missing', { 'example.com': ['v=spf1 mx include:gone.example -all'] }],
  [
    'spf_broken',
    { 'example.com': ['v=spf1 mx include:two.example -all'], 'two.example': ['v=spf1 -all', 'v=spf1 ~all'] },
  ],
  [
    'spf_too_many_lookups',
    {
      'example.com': [
        `v=spf1 ${Array.from({ length: 9 }, (_, i) => `a:h${i}.example`).join(' ')} a:x.example a:y.example -all`,
      ],
      ...Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`A h${i}.example`, ['8.8.4.1']])),
    },
  ],
  [
    'spf_near_limit',
    {
      'example.com': [`v=spf1 ${Array.from({ length: 9 }, (_, i) => `a:h${i}.example`).join(' ')} -all`],
      ...Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`A h${i}.example`, ['8.8.4.1']])),
    },
  ],
  ['spf_void_lookups', { 'example.com': ['v=spf1 mx a:x.example a:y.example a:z.example -all'] }],
  ['spf_plus_all', { 'example.com': ['v=spf1 mx +all'] }],
  ['spf_plus_all', { 'example.com': ['v=spf1 mx include:wide.example -all'], 'wide.example': ['v=spf1 +all'] }],
  ['spf_plus_all', { 'example.com': ['v=spf1 redirect=wide.example'], 'wide.example': ['v=spf1 ip6:::/0 -all'] }],
  ['spf_plus_all', { 'example.com': ['v=spf1 ip4:0.0.0.0/1 ip4:128.0.0.0/1 -all'] }],
  ['spf_plus_all', { 'example.com': ['v=spf1 exists:there.example -all'], 'A there.example': ['127.0.0.2'] }],
  ['spf_too_wide', { 'example.com': ['v=spf1 mx ip4:20.0.0.0/8 -all'] }],
  ['spf_terms_after_all', { 'example.com': ['v=spf1 mx -all ip4:8.8.4.9'] }],
  ['spf_terms_after_all', { 'example.com': ['v=spf1 mx -all ~all'] }],
  ['spf_redirect_ignored', { 'example.com': ['v=spf1 mx redirect=other.example -all'] }],
  ['spf_mechanism_ignored', { 'example.com': ['v=spf1 mx include=other.example -all'] }],
  [
    'spf_term_repeated',
    { 'example.com': ['v=spf1 include:o.example mx +Include:o.example -all'], 'o.example': ['v=spf1 -all'] },
  ],
  ['spf_record_long', { 'example.com': [`v=spf1 mx ${'ip4:8.8.100.100 '.repeat(30)}-all`] }],
  ['txt_wildcard', { 'no-such-selector-4d2a._domainkey.example.com': ['something'] }],
  ['spf_neutral_all', { 'example.com': ['v=spf1 mx'] }],
  ['spf_ptr', { 'example.com': ['v=spf1 mx ptr -all'] }],
  [
    'spf_sender_not_covered',
    { 'PTR 9.4.8.8.in-addr.arpa': ['o.example.com'], 'A o.example.com': ['8.8.4.9'] },
    { senders: ['8.8.4.9'] },
  ],
  ['dkim_key_syntax', { 's1._domainkey.example.com': ['v=DKIM1; p=abc!'] }],
  ['dkim_key_syntax', { 's1._domainkey.example.com': ['v=DKIM1; p=AAAA'] }],
  ['dkim_key_under_1024', { 's1._domainkey.example.com': [`v=DKIM1; p=${KEY(768)}`] }],
  ['dkim_key_1024', { 's1._domainkey.example.com': [`v=DKIM1; p=${KEY(1024)}`] }],
  ['dkim_key_without_sha256', { 's1._domainkey.example.com': [`v=DKIM1; h=sha1; p=${STRONG}`] }],
  ['dkim_key_not_for_mail', { 's1._domainkey.example.com': [`v=DKIM1; s=tlsrpt; p=${STRONG}`] }],
  ['dkim_multiple_keys', { 's1._domainkey.example.com': [`v=DKIM1; p=${STRONG}`, 'v=DKIM1; p='] }],
  ['dkim_testing', { 's1._domainkey.example.com': [`v=DKIM1; t=y:s; p=${STRONG}`] }],
  ['dkim_revoked', { 's1._domainkey.example.com': ['v=DKIM1; p='] }],
  ['dkim_key_gone', {}, { selectors: ['s1', 's9'] }],
  ['dmarc_missing', { '_dmarc.example.com': [] }],
  ['dmarc_multiple', { '_dmarc.example.com': ['v=DMARC1; p=none', 'v=DMARC1; p=reject'] }],
  ['dmarc_syntax', { '_dmarc.example.com': ['v=DMARC1; p=rejected; rua=mailto:r@example.com'] }],
  ['dmarc_syntax', { '_dmarc.example.com': ['v=DMARC1; p=reject; rua=mailto:r@example.com; p=none'] }],
  ['dmarc_policy_none', { '_dmarc.example.com': ['v=DMARC1; p=none; rua=mailto:r@example.com'] }],
  ['dmarc_policy_none', { '_dmarc.example.com': ['v=DMARC1; rua=mailto:r@example.com'] }],
  ['dmarc_no_rua', { '_dmarc.example.com': ['v=DMARC1; p=reject'] }],
  ['dmarc_rua_unauthorised', { '_dmarc.example.com': ['v=DMARC1; p=reject; rua=mailto:r@reports.example'] }],
  [
    'dmarc_ruf_unauthorised',
    { '_dmarc.example.com': [`${REJECT}; ruf=mailto:r@reports.example`], 'MX reports.example': ['1 mx1.example.com.'] },
  ],
  ['dmarc_report_domain_no_mail', { '_dmarc.example.com': ['v=DMARC1; p=reject; rua=mailto:r@nowhere.example.com'] }],
  [
    'dmarc_report_domain_no_mail',
    { '_dmarc.example.com': [`${REJECT}; ruf=mailto:r@null.example.com`], 'MX null.example.com': ['0 .'] },
  ],
  ['dmarc_report_uri', { '_dmarc.example.com': ['v=DMARC1; p=reject; rua=reports@example.com'] }],
  ['dmarc_alignment_mode', { '_dmarc.example.com': [`${REJECT}; adkim=strict`] }],
  ['dmarc_np_weaker', { '_dmarc.example.com': [`${REJECT}; np=none`] }],
  ['dmarc_stray_record', { '_dmarc.example.com': [REJECT, 'v=DMARC1 p=none'] }],
  ['dmarc_stray_record', { 'example.com': ['v=spf1 mx -all', REJECT] }],
  ['dmarc_testing', { '_dmarc.example.com': ['v=DMARC1; p=reject; t=y; rua=mailto:r@example.com'] }],
  ['dmarc_sp_weaker', { '_dmarc.example.com': ['v=DMARC1; p=reject; sp=none; rua=mailto:r@example.com'] }],
  ['dmarc_tag_retired', { '_dmarc.example.com': ['v=DMARC1; p=reject; pct=100; ri=86400; rua=mailto:r@example.com'] }],
  ['sts_missing', { '_mta-sts.example.com': [] }],
  ['sts_syntax', { '_mta-sts.example.com': ['v=STSv1; id=2026-11'] }],
  ['sts_policy_unreachable', { [STS_URL]: [] }],
  ['sts_policy_syntax', { [STS_URL]: ['<html></html>'] }],
  ['sts_policy_syntax', { [STS_URL]: [policy('on', ['mx1.example.com'])] }],
  ['sts_mx_not_covered', { [STS_URL]: [policy('enforce', ['mx1.example.com'])] }],
  ['sts_mx_not_covered', { [STS_URL]: [policy('testing', ['*.mail.example.com'])] }],
  ['sts_testing', { [STS_URL]: [policy('testing', ['*.example.com'])] }],
  ['sts_max_age_short', { [STS_URL]: [policy('enforce', ['*.example.com'], 3600)] }],
  ['sts_media_type', { [STS_TYPE]: ['text/html'] }],
  ['dane_without_dnssec', { 'TLSA _25._tcp.mx1.example.com': ['3 1 1 00'] }],
  [
    'dane_mismatch',
    {
      'AUTHENTIC TLSA': ['yes'],
      'TLSA _25._tcp.mx1.example.com': [`3 1 1 ${'00'.repeat(32)}`, `3 1 1 ${'11'.repeat(32)}`],
    },
  ],
  [
    'dane_mismatch',
    {
      'AUTHENTIC TLSA': ['yes'],
      'TLSA _25._tcp.mx1.example.com': [`3 1 1 ${KEY_DIGEST}`],
      'TLS mx1.example.com': ['none'],
    },
  ],
  [
    'dane_usage',
    { 'AUTHENTIC TLSA': ['yes'], 'TLSA _25._tcp.mx1.example.com': [`1 1 1 ${KEY_DIGEST}`, `0 0 1 ${KEY_DIGEST}`] },
  ],
  ['dane_rollover_missing', { 'AUTHENTIC TLSA': ['yes'], 'TLSA _25._tcp.mx1.example.com': [`3 1 1 ${KEY_DIGEST}`] }],
  ['starttls_missing', { 'TLS mx1.example.com': ['none'] }],
  ['starttls_failed', { 'TLS mx1.example.com': ['failed'] }],
  ['tls_too_old', { 'TLS mx1.example.com': ['protocol TLSv1.1'] }],
  ['cert_expired', { 'TLS mx1.example.com': ['days -1'] }],
  ['cert_expires_soon', { 'TLS mx1.example.com': ['days 6'] }],
  ['cert_name_mismatch', { 'TLS mx1.example.com': ['name other.example.com'] }],
  ['cert_untrusted', { 'TLS mx1.example.com': ['distrust DEPTH_ZERO_SELF_SIGNED_CERT'] }],
  ['registration_expires_soon', { REGISTRATION: ['30'] }],
  ['registration_on_hold', { 'REGISTRATION STATUS': ['client hold'] }],
  ['registration_ending', { 'REGISTRATION STATUS': ['redemption period'] }],
  ['bimi_syntax', { 'default._bimi.example.com': ['v=BIMI1; l=http://brand.example.com/logo.svg'] }],
  ['bimi_syntax', { 'default._bimi.example.com': ['v=BIMI1; l=', 'v=BIMI1; l='] }],
  ['bimi_not_enforced', { '_dmarc.example.com': ['v=DMARC1; p=reject; sp=none; rua=mailto:r@example.com'] }],
  ['bimi_logo_unreachable', { 'default._bimi.example.com': ['v=BIMI1; l=https://gone.example.com/'] }],
  ['bimi_logo_profile', { [`file ${URLS.logo}`]: ['it has scripts'] }],
  ['bimi_no_certificate', { 'default._bimi.example.com': [`v=BIMI1; l=${URLS.logo}; a=`] }],
  [
    'bimi_certificate_unreachable',
    { 'default._bimi.example.com': [`v=BIMI1; l=${URLS.logo}; a=https://gone.example.com/`] },
  ],
  ['bimi_certificate_unfit', { [`file ${URLS.certificate}`]: ['name example.net'] }],
  ['bimi_certificate_unfit', { [`file ${URLS.certificate}`]: ['use other'] }],
  ['bimi_certificate_expired', { [`file ${URLS.certificate}`]: ['days -1'] }],
  ['bimi_certificate_expires_soon', { [`file ${URLS.certificate}`]: ['days 30'] }],
  ['dnssec_bogus', { 'DNSSEC example.com': ['bogus'] }],
  ['dnssec_unsigned', { 'DNSSEC example.com': ['insecure'] }],
  ['tls_rpt_missing', { '_smtp._tls.example.com': [] }],
  ['tls_rpt_syntax', { '_smtp._tls.example.com': ['v=TLSRPTv1; rua=example.com'] }],
];

describe('the findings of a domain', () => {
  it('the findings of a domain are none where there is nothing to say', async () => {
    expect(await findingsOf(HEALTHY)).toEqual([]);
  });

  it.each(BROKEN.map(([code, zone, asked = {}]) => [code, zone, asked] as const))(
    'the findings of a domain have %s, and it vanishes when a fix that is certain is published',
    async (code, change, asked) => {
      const zone = { ...HEALTHY, ...change };
      const before = await findingsOf(zone, asked);
      expect(codes(before)).toContain(code);
      for (const { fix, code: fixed, subject } of before) {
        if (fix === null) continue;
        if (fix.value?.includes('<') === true) expect(fix.confidence).toBe('needs_you');
        if (fix.confidence !== 'certain') continue;
        const after = await findingsOf(published(zone, fix), asked);
        expect(after.filter((one) => one.code === fixed && one.subject === subject)).toEqual([]);
        // The cure is no worse than the illness.
        const isNew = (one: DomainFinding) => one.severity === 'critical' && !codes(before).includes(one.code);
        expect(after.filter(isNew)).toEqual([]);
      }
    },
  );

  it.each([
    ['8.8.4.9', '9.4.8.8.in-addr.arpa.'],
    ['2001:4860::9', `9.${'0.'.repeat(23)}0.6.8.4.1.0.0.2.ip6.arpa.`],
  ])('the findings of a domain name the record of the reverse name of %s as the DNS does', async (address, name) => {
    const findings = await findingsOf(HEALTHY, { senders: [address] });
    const missing = findings.find(({ code, subject }) => code === 'ptr_missing' && subject === address);
    expect(missing?.fix).toMatchObject({ type: 'PTR', name });
  });

  it('the findings of a domain are each broken on purpose at least once in this file', () => {
    expect(new Set(BROKEN.map(([code]) => code))).toEqual(new Set(Object.keys(FINDINGS)));
  });

  it.each([
    'dmarc-verification=0a1b2c3d4e',
    'dmarc=0a1b2c3d4e',
    'dmarc.service.example 0a1b2c',
    'DMARC1-site-verification=p=none',
    'v=dmarc-verification=0a1b2c',
    'dmarc: verification of example.com',
    'dmarcian p=none',
  ])(
    'the findings of a domain are none about %s, which proves something to a service and is no record',
    async (text) => {
      const zone = { '_dmarc.example.com': [REJECT, text], 'example.com': ['v=spf1 mx -all', text] };
      expect(codes(await findingsOf({ ...HEALTHY, ...zone }))).toEqual([]);
    },
  );

  it.each(['v=DMARC1 p=none', 'v=dmarc1; p=none', 'DMARC1; p=none', '"v=DMARC1; p=reject"', 'v = DMARC; sp=none'])(
    'the findings of a domain name %s, which looks like a DMARC record and is none',
    async (text) => {
      const zone = { '_dmarc.example.com': [REJECT, text] };
      const found = (await findingsOf({ ...HEALTHY, ...zone })).map(({ code, fix }) => [code, fix?.confidence]);
      expect(found).toEqual([['dmarc_stray_record', 'certain']]);
    },
  );

  it('the findings of a domain say that nobody counts whom a record lets send, where it names more networks than are counted', async () => {
    const networks = (first: number) =>
      Array.from({ length: 5_001 }, (_, at) => `ip4:${first}.${at >> 8}.${at & 255}.1`).join(' ');
    const zone = {
      'example.com': ['v=spf1 include:a.example include:b.example include:wide.example mx -all'],
      'a.example': [`v=spf1 ${networks(20)} -all`],
      'b.example': [`v=spf1 ${networks(21)} -all`],
      'wide.example': ['v=spf1 ip4:0.0.0.0/0 -all'],
    };
    const [found] = await findingsOf({ ...HEALTHY, ...zone });
    expect(found).toMatchObject({ code: 'spf_too_wide', evidence: { share: null } });
    expect(found!.explanation).toContain('more than 10000 networks');
  });

  it('the findings of a domain are none about a domain that has no logo, or says so', async () => {
    const own = (record: string[]) => findingsOf({ ...HEALTHY, 'default._bimi.example.com': record });
    expect(await own([])).toEqual([]);
    expect(await own(['v=BIMI1; l=; a='])).toEqual([]);
  });

  it.each<[string, Zone, string]>([
    ['cert_expires_soon', { 'TLS mx1.example.com': ['days 1'] }, 'warning'],
    ['cert_expired', { 'TLS mx1.example.com': ['days 0'] }, 'critical'],
    ['cert_name_mismatch', { 'TLS mx1.example.com': ['name other.example.com'] }, 'critical'],
    ['cert_name_mismatch', { 'TLS mx1.example.com': ['name other.example.com'], [STS_URL]: ['none'] }, 'warning'],
    ['registration_expires_soon', { REGISTRATION: ['8'] }, 'warning'],
    ['registration_expires_soon', { REGISTRATION: ['7'] }, 'critical'],
    ['registration_expires_soon', { REGISTRATION: ['-1'] }, 'critical'],
  ])('the findings of a domain are as bad as they are: %s of %j is %s', async (code, change, severity) => {
    const found = await findingsOf({ ...HEALTHY, ...change });
    expect(found.find((one) => one.code === code)?.severity).toBe(severity);
  });

  it('the findings of a domain are none before it is time', async () => {
    expect(await findingsOf({ ...HEALTHY, 'TLS mx1.example.com': ['days 14'], REGISTRATION: ['31'] })).toEqual([]);
  });

  it('the findings of a domain are none about a key that fits signed TLSA records, whatever its certificate says but for its end', async () => {
    const records = [`3 1 1 ${KEY_DIGEST}`, `3 1 1 ${'11'.repeat(32)}`];
    const words = ['name other.example.com', 'distrust DEPTH_ZERO_SELF_SIGNED_CERT'];
    const signed = { 'AUTHENTIC TLSA': ['yes'], 'TLSA _25._tcp.mx1.example.com': records };
    expect(await findingsOf({ ...HEALTHY, ...signed, 'TLS mx1.example.com': words })).toEqual([]);
  });

  it('the findings of a domain are none of TLSA records where the domain is not signed, or the resolver validates nothing', async () => {
    const TLSA = { 'TLSA _25._tcp.mx1.example.com': [`3 1 1 ${'00'.repeat(32)}`] };
    const unsigned = { ...HEALTHY, ...TLSA, 'AUTHENTIC TLSA': ['yes'], 'DNSSEC example.com': ['insecure'] };
    expect(codes(await findingsOf(unsigned))).toEqual(['dnssec_unsigned']);
    expect(await findingsOf({ ...HEALTHY, ...TLSA, 'DNSSEC example.com': ['unknown'] })).toEqual([]);
  });

  it('the findings of a domain ask nobody but the DNS about areas that nobody wants', async () => {
    const asked: string[] = [];
    const ask = <T>(what: string, answer: T) => (asked.push(what), Promise.resolve(answer));
    const outside = {
      stsPolicy: () => ask('mta_sts', { outcome: 'unknown' } as const),
      startTls: () => ask('starttls', { outcome: 'unknown', why: 'no_answer' } as const),
      registration: () => ask('registration', { outcome: 'unknown', why: 'no_answer' } as const),
      logo: () => ask('bimi', { outcome: 'unknown' } as const),
      markCertificate: () => ask('bimi', { outcome: 'unknown' } as const),
    };
    const look = async (areas: readonly FindingArea[] | null) => {
      asked.length = 0;
      const facts = await gatherFacts(
        { domain: 'example.com', selectors: [], senders: [], areas },
        dnsOf(HEALTHY),
        outside,
      );
      return [...new Set(asked)].toSorted().join(' ') + (facts.unanswered.length > 0 ? ' unanswered' : '');
    };
    expect(await look(['spf', 'dmarc'])).toBe('');
    expect(await look(['registration'])).toBe('registration unanswered');
    expect(await look(['dane'])).toBe('starttls unanswered');
    expect(await look(null)).toBe('bimi mta_sts registration starttls unanswered');
    expect(await look(['bimi'])).toBe('bimi unanswered');
  });

  it('the findings of a domain are none about what the DNS did not answer', async () => {
    const silent = Object.fromEntries(Object.keys(HEALTHY).map((name) => [name, 'silent' as const]));
    const others = {
      'TLS mx1.example.com': 'silent',
      'TLS mx2.example.com': 'silent',
      REGISTRATION: 'silent',
    } as const;
    expect(await findingsOf({ ...silent, 'A example.com': 'silent', REGISTRATION: 'silent' })).toEqual([]);
    expect(await findingsOf({ ...HEALTHY, ...others })).toEqual([]);
  });

  it.each<[string, readonly FindingArea[]]>([
    ['example.com', ['spf', 'reverse']],
    ['MX example.com', ['mx', 'mta_sts', 'tls_rpt', 'starttls', 'dane']],
    ['_dmarc.example.com', ['dmarc', 'bimi']],
  ])(
    'the findings of a domain are not known to be gone where %s is silent, of whose answer their questions come',
    async (name, areas) => {
      const zone = { ...HEALTHY, [name]: 'silent' } as const;
      const facts = await gatherFacts(
        { domain: 'example.com', selectors: ['s1'], senders: [] },
        dnsOf(zone),
        outsideOf(zone),
      );
      const answered = answeredAreas(facts);
      for (const area of areas) expect(answered).not.toContain(area);
      expect(answered).toContain('dkim');
    },
  );

  const judgedAt = async (domain: string, zone: Zone) => {
    const all = { ...HEALTHY, ...zone };
    const about = { domain, selectors: ['s1'], senders: [] };
    const { facts, findings } = await examineDomain(about, dnsOf(all), outsideOf(all), { now: NOW });
    return { facts, dmarc: findings.filter(({ area }) => area === 'dmarc').map(({ code }) => code) };
  };

  it.each<[string, string, Zone, readonly string[]]>([
    [
      'a policy that nobody can read',
      'example.com',
      { '_dmarc.example.com': ['v=DMARC1; p=rejected'] },
      ['dmarc_syntax', 'dmarc_no_rua'],
    ],
    ['two records', 'example.com', { '_dmarc.example.com': ['v=DMARC1; p=none', REJECT] }, ['dmarc_multiple']],
    [
      'two records of a name below the domain',
      'a.example.com',
      { '_dmarc.a.example.com': ['v=DMARC1; p=none', REJECT], '_dmarc.example.com': 'silent' },
      ['dmarc_multiple'],
    ],
    [
      'a record of a name below the domain',
      'a.example.com',
      { '_dmarc.a.example.com': ['v=DMARC1; p=none; rua=mailto:r@example.com'], '_dmarc.example.com': 'silent' },
      ['dmarc_policy_none'],
    ],
    [
      'what a name inherits from its domain',
      'a.example.com',
      { '_dmarc.example.com': ['v=DMARC1; p=none; rua=mailto:r@example.com'] },
      ['dmarc_policy_none'],
    ],
  ])(
    'the findings of a domain are told of a DMARC record that was read, although a name above is silent: %s',
    async (_, domain, zone, wanted) => {
      const { facts, dmarc } = await judgedAt(domain, { '_dmarc.com': 'silent', ...zone });
      expect(dmarc).toEqual(wanted);
      expect(facts.unanswered).toContainEqual(expect.objectContaining({ name: '_dmarc.com', isOpen: false }));
    },
  );

  it.each<[string, string, Zone]>([
    ['of the domain itself', 'example.com', { '_dmarc.example.com': 'silent' }],
    ['above a domain without a record', 'example.com', { '_dmarc.example.com': [], '_dmarc.com': 'silent' }],
    [
      'between a name and the record that it may inherit',
      'a.example.com',
      { '_dmarc.a.example.com': 'silent', '_dmarc.example.com': ['v=DMARC1; p=none'] },
    ],
    [
      'of the domain above a name without a record',
      'b.a.example.com',
      { '_dmarc.a.example.com': ['v=DMARC1; p=none'], '_dmarc.example.com': 'silent' },
    ],
  ])(
    'the findings of a domain are none of DMARC where a name is silent on which the policy depends: %s',
    async (_, domain, zone) => {
      const { facts, dmarc } = await judgedAt(domain, zone);
      expect([dmarc, facts.dmarc.isAnswered]).toEqual([[], false]);
      expect(facts.unanswered.filter(({ isOpen }) => isOpen)).not.toEqual([]);
      expect(answeredAreas(facts)).not.toContain('dmarc');
    },
  );

  it('the findings of a domain are those of the record that holds, whatever stands above it', async () => {
    const above = { '_dmarc.example.com': ['v=DMARC1; p=none', REJECT] };
    const below = { '_dmarc.a.example.com': ['v=DMARC1; p=qarantine; rua=mailto:r@a.example.com'] };
    expect((await judgedAt('a.example.com', { ...above, ...below, 'A a.example.com': ['8.8.4.8'] })).dmarc).toEqual([
      'dmarc_syntax',
    ]);
  });

  it('the findings of a domain may be hidden by a silent destination of reports only where they are about destinations', async () => {
    const record = 'v=DMARC1; p=reject; rua=mailto:r@reports.example';
    const permission = 'example.com._report._dmarc.reports.example';
    const { facts } = await judgedAt('example.com', { '_dmarc.example.com': [record], [permission]: 'silent' });
    expect(answeredAreas(facts)).toContain('dmarc');
    expect(hiddenCodes(facts)).toContain('dmarc_rua_unauthorised');
    expect(hiddenCodes(facts)).not.toContain('dmarc_missing');
  });

  it('the findings of a domain take no key from a domain that answers for every name, unless its selector is named', async () => {
    const facts = await gatherFacts(
      { domain: 'example.com', selectors: [], senders: [] },
      dnsOf({ ...HEALTHY, 'no-such-selector-4d2a._domainkey.example.com': ['v=spf1 -all'] }),
    );
    expect([facts.hasWildcard, facts.dkim.asked]).toEqual([true, []]);
  });

  it('the findings of a domain never propose what would stop mail', async () => {
    for (const [, change, asked] of BROKEN)
      for (const { fix } of await findingsOf({ ...HEALTHY, ...change }, asked))
        if (fix?.confidence === 'certain' && fix.action === 'add')
          expect(fix.value).not.toMatch(/p=(reject|quarantine)/);
  });
});

describe('the policy of MTA-STS', () => {
  it.each([
    ['mx.example.com', 'mx.example.com', true],
    ['*.example.com', 'mx.example.com', true],
    ['*.example.com', 'a.mx.example.com', false],
    ['*.example.com', 'example.com', false],
    ['mx.example.com', 'mx.example.net', false],
  ])('%s covers %s: %s', (pattern, host, covered) => {
    expect(isCovered(host, [pattern])).toBe(covered);
  });

  it.each([
    [
      'the example of RFC 8461',
      'version: STSv1\nmode: enforce\nmx: mail.example.com\nmx: *.example.net\nmx: backupmx.example.com\nmax_age: 604800',
      true,
    ],
    ['an unknown field', `${policy('enforce', ['mx.example.com'])}later: something\r\n`, true],
    ['a retired policy without hosts', policy('none', []), true],
    ['no version', 'mode: enforce\nmx: mx.example.com\nmax_age: 1', false],
    ['no mail host', policy('enforce', []), false],
    ['a pattern within a name', policy('enforce', ['mx.*.example.com']), false],
    ['an age beyond a year', policy('enforce', ['mx.example.com'], 31_557_601), false],
    ['a page of a web server', '<!doctype html>', false],
  ])('the policy of MTA-STS reads %s', (_, text, isGood) => {
    expect('policy' in readStsPolicy(text)).toBe(isGood);
  });
});

describe('the policy of DMARC', () => {
  it('the policy of DMARC is looked for at the domain, then upwards, with at most eight questions', () => {
    expect(dmarcWalk('a.mail.example.com')).toEqual(['a.mail.example.com', 'mail.example.com', 'example.com', 'com']);
    const long = 'a.b.c.d.e.f.g.h.i.j.mail.example.com';
    expect(dmarcWalk(long)).toEqual([
      long,
      'g.h.i.j.mail.example.com',
      'h.i.j.mail.example.com',
      'i.j.mail.example.com',
      'j.mail.example.com',
      'mail.example.com',
      'example.com',
      'com',
    ]);
  });

  it.each<[string, string, Zone, object]>([
    [
      'its own record before that of its organization',
      'mail.example.com',
      { '_dmarc.mail.example.com': ['v=DMARC1; p=none'], '_dmarc.example.com': ['v=DMARC1; p=reject'] },
      { foundAt: 'mail.example.com', policy: 'none', organizationalDomain: 'example.com' },
    ],
    [
      "its organization's policy for subdomains",
      'mail.example.com',
      { '_dmarc.example.com': ['v=DMARC1; p=reject; sp=quarantine; np=none'] },
      { foundAt: 'example.com', policy: 'quarantine', nonexistentPolicy: 'none' },
    ],
    [
      "a public suffix's own policy",
      'shop.bank.example',
      { '_dmarc.example': ['v=DMARC1; p=reject; psd=y'] },
      { foundAt: 'example', policy: 'reject', organizationalDomain: 'bank.example' },
    ],
    [
      'an organization below another one, which says so',
      'a.unit.example.com',
      { '_dmarc.unit.example.com': ['v=DMARC1; p=none; psd=n'], '_dmarc.example.com': ['v=DMARC1; p=reject'] },
      { foundAt: 'unit.example.com', organizationalDomain: 'unit.example.com' },
    ],
    [
      'none where p is missing',
      'example.com',
      { '_dmarc.example.com': ['v=DMARC1; rua=mailto:a@b.example'] },
      { policy: 'none' },
    ],
    [
      'nothing where there are two records',
      'example.com',
      { '_dmarc.example.com': ['v=DMARC1', 'v=DMARC1'] },
      { foundAt: null },
    ],
    ['nothing of another version', 'example.com', { '_dmarc.example.com': ['v=DMARC2; p=reject'] }, { foundAt: null }],
  ])('the policy of DMARC is %s', async (_, domain, zone, facts) => {
    expect(await readDmarc(domain, dnsOf(zone))).toMatchObject(facts);
  });

  const EXAMPLE = { '_dmarc.example.com': ['v=DMARC1; p=reject'], '_dmarc.signing.example.com': ['v=DMARC1; p=none'] };
  const BANK = { '_dmarc.bank.example': ['v=DMARC1; p=reject; psd=y'], '_dmarc.giant.bank.example': ['v=DMARC1'] };

  it.each<[string, string, Zone, string, string | null, number]>([
    ['B.4.1', 'example.com', EXAMPLE, 'example.com', 'example.com', 2],
    ['B.4.1', 'signing.example.com', EXAMPLE, 'example.com', 'signing.example.com', 3],
    ['B.4.2', 'a.b.c.d.e.f.g.h.i.j.k.example.com', EXAMPLE, 'example.com', 'example.com', 8],
    ['B.4.3', 'giant.bank.example', BANK, 'giant.bank.example', 'giant.bank.example', 2],
    ['B.4.3', 'mail.giant.bank.example', BANK, 'giant.bank.example', 'giant.bank.example', 3],
    ['B.4.3', 'mail.mega.bank.example', BANK, 'mega.bank.example', 'bank.example', 3],
  ])(
    'the policy of DMARC agrees with appendix %s of RFC 9989 about the organization of %s',
    async (_, domain, zone, organizationalDomain, foundAt, questions) => {
      const facts = await readDmarc(domain, dnsOf(zone));
      expect(facts).toMatchObject({ organizationalDomain, foundAt });
      expect(facts.steps).toHaveLength(questions);
    },
  );
});
