import { describe, expect, it } from 'vitest';
import type { FactDns } from '../../src/engine/domain/facts.js';
import type { DnsAnswer } from '../../src/mail-dns/domain-dns.js';
import { judgeReport } from '../../src/deliverability/placement/report/judge-report.js';
import type { ReportFinding, ReportSections } from '../../src/deliverability/placement/report/placement-report.js';
import { withRecords } from '../../src/deliverability/placement/report/records-to-publish.js';
import {
  authenticationSection,
  type ReportEnvelope,
  transportSection,
} from '../../src/deliverability/placement/report/authentication.js';
import { DKIM_RECORD, signatureLook, signedMail } from '../support/sign-mail.js';

type Zone = Readonly<Record<string, readonly string[]>>;

const ADDRESS = '8.8.4.25';
/** Everything is right. */
const ZONE: Zone = {
  'TXT example.com': [`v=spf1 ip4:${ADDRESS} -all`],
  'TXT s1._domainkey.example.com': [DKIM_RECORD],
  'TXT _dmarc.example.com': ['v=DMARC1; p=reject; rua=mailto:reports@example.com'],
  'PTR 25.4.8.8.in-addr.arpa': ['mail.example.com'],
  'A mail.example.com': [ADDRESS],
};

function dnsOf(zone: Zone, isSilent = false): FactDns & { readonly asked: string[] } {
  const asked: string[] = [];
  const look = (key: string): Promise<DnsAnswer<string>> => {
    asked.push(key);
    const records = zone[key];
    if (isSilent) return Promise.resolve({ outcome: 'timeout' });
    return Promise.resolve(records ? { outcome: 'found', records, ttlSeconds: 60 } : { outcome: 'nxdomain' });
  };
  return {
    asked,
    txt: (name) => look(`TXT ${name}`),
    a: (name) => look(`A ${name}`),
    aaaa: (name) => look(`AAAA ${name}`),
    ptr: (name) => look(`PTR ${name}`),
    cname: (name) => look(`CNAME ${name}`),
    mx: () => Promise.resolve({ outcome: 'nodata' }),
    ns: (name) => look(`NS ${name}`),
    tlsa: () => Promise.resolve({ records: [], isAuthentic: false }),
    dnssec: () => Promise.resolve('unknown'),
  };
}

interface Asked {
  readonly address?: string;
  readonly dns?: FactDns;
  /** What is asked once the message is judged; the same unless it is given. */
  readonly later?: FactDns;
}

async function found(zone: Zone, { address = ADDRESS, dns = dnsOf(zone), later = dns }: Asked = {}) {
  const envelope: ReportEnvelope = {
    clientAddress: address,
    clientName: 'mail.example.com',
    mailFrom: 'news@example.com',
    tls: 'TLSv1.3',
  };
  const look = signatureLook(await signedMail(), envelope);
  const sections: ReportSections = {
    transport: await transportSection(envelope, dns),
    authentication: await authenticationSection(look, envelope, dns),
    headers: null,
    unsubscribe: null,
    content: null,
    reputation: [],
    spam_filter: null,
  };
  return withRecords(judgeReport(sections), sections, later);
}

const recordOf = (findings: readonly ReportFinding[], code: string) => {
  const one = findings.find((finding) => finding.code === code);
  if (one === undefined) throw new Error(`no ${code} but ${findings.map((finding) => finding.code).join(', ')}`);
  return one.record;
};

/** The zone once the record stands there. */
function published(zone: Zone, { type, name, value, current }: NonNullable<ReportFinding['record']>): Zone {
  const key = `${type} ${name.replace(/\.$/, '')}`;
  const others = (zone[key] ?? []).filter((text) => !(current ?? '').split('\n').includes(text));
  return { ...zone, [key]: [...others, ...(value === null ? [] : [value])] };
}

/** A zone for each finding that records explain. */
const CASES: readonly (readonly [code: string, zone: Zone, confidence: 'certain' | 'needs_you'])[] = [
  ['spf_fail', { ...ZONE, 'TXT example.com': ['v=spf1 ip4:8.8.4.26 -all'] }, 'needs_you'],
  ['spf_fail', { ...ZONE, 'TXT example.com': ['v=spf1 ip4:8.8.4.26 ~all'] }, 'needs_you'],
  ['spf_missing', { ...ZONE, 'TXT example.com': [] }, 'needs_you'],
  ['spf_broken', { ...ZONE, 'TXT example.com': [`v=spf1 include:gone.example ip4:${ADDRESS} -all`] }, 'certain'],
  ['spf_broken', { ...ZONE, 'TXT example.com': [`v=spf1 ipv4:${ADDRESS} -all`] }, 'certain'],
  [
    'spf_broken',
    { ...ZONE, 'TXT example.com': [`v=spf1 ip4:${ADDRESS} -all`, 'v=spf1 ip4:8.8.4.26 ~all'] },
    'needs_you',
  ],
  ['dkim_testing', { ...ZONE, 'TXT s1._domainkey.example.com': [`${DKIM_RECORD}; t=y`] }, 'certain'],
  ['dmarc_missing', { ...ZONE, 'TXT _dmarc.example.com': [] }, 'certain'],
  ['dmarc_policy_none', { ...ZONE, 'TXT _dmarc.example.com': ['v=DMARC1; p=none'] }, 'needs_you'],
  ['reverse_name_missing', { ...ZONE, 'PTR 25.4.8.8.in-addr.arpa': [] }, 'needs_you'],
  ['reverse_name_not_forward', { ...ZONE, 'A mail.example.com': ['8.8.4.26'] }, 'needs_you'],
];

describe('a finding of a message', () => {
  it.each(CASES)('%s has the record to publish, which makes it vanish: %o', async (code, zone, confidence) => {
    const record = recordOf(await found(zone), code);
    expect(record).toMatchObject({ kind: 'dns', confidence, why: expect.stringMatching(/\S/) });
    if (record!.value?.includes('<')) return;
    expect((await found(published(zone, record!))).map((finding) => finding.code)).not.toContain(code);
  });

  it('a finding of a message of SPF says what only the owner knows: whether the address is theirs', async () => {
    const record = recordOf(await found(CASES[0]![1]), 'spf_fail');
    expect(record).toEqual({
      kind: 'dns',
      action: 'replace',
      name: 'example.com.',
      type: 'TXT',
      current: 'v=spf1 ip4:8.8.4.26 -all',
      value: `v=spf1 ip4:${ADDRESS} ip4:8.8.4.26 -all`,
      why: `adds ip4:${ADDRESS}, if that address is one of yours`,
      confidence: 'needs_you',
    });
  });

  it.each(['127.0.0.1', '10.0.0.5', 'fd00::1'])(
    'a finding of a message never lets %s send, which is a server in front of ours',
    async (address) => {
      const findings = await found(ZONE, { address });
      expect(recordOf(findings, 'spf_fail')).toBeNull();
      expect(JSON.stringify(findings.map(({ record }) => record))).not.toContain(address);
    },
  );

  it('a finding of a message has a sentence alone where no record mends it, or the DNS does not answer', async () => {
    const changed = { ...ZONE, 'TXT s1._domainkey.example.com': ['v=DKIM1; p='] };
    expect(recordOf(await found(changed), 'dkim_fail')).toBeNull();
    for (const [code, zone] of CASES) {
      const findings = await found(zone, { dns: dnsOf(zone), later: dnsOf(zone, true) });
      expect(recordOf(findings, code)).toBeNull();
      expect(findings.every(({ fix }) => fix.length > 0)).toBe(true);
    }
  });

  it('a finding of a message asks nothing more where everything is right', async () => {
    const later = dnsOf(ZONE);
    expect(await found(ZONE, { dns: dnsOf(ZONE), later })).toEqual([]);
    expect(later.asked).toEqual([]);
  });
});
