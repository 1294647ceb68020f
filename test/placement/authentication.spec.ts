import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { DnsAnswer } from '../../src/mail-dns/domain-dns.js';
import { judgeAuthentication } from '../../src/deliverability/placement/report/judge-report.js';
import { readMessage } from '../../src/deliverability/placement/report/read-message.js';
import type { ReportDns } from '../../src/deliverability/placement/report/report-dns.js';
import {
  authenticationSection,
  type ReportEnvelope,
} from '../../src/deliverability/placement/report/authentication.js';
import { unsubscribeSection } from '../../src/deliverability/placement/report/message-facts.js';
import { DKIM_RECORD, dkimRecord, signatureLook, signedMail } from '../support/sign-mail.js';

const ZONE: Readonly<Record<string, readonly string[]>> = {
  'TXT example.com': ['v=spf1 ip4:192.0.2.25 -all'],
  'TXT s1._domainkey.example.com': [DKIM_RECORD],
  'TXT s1._domainkey.provider.example': [DKIM_RECORD],
  'TXT _dmarc.example.com': ['v=DMARC1; p=reject; adkim=s'],
};

function dnsOf(zone = ZONE): ReportDns & { readonly asked: string[] } {
  const asked: string[] = [];
  const look = (key: string): Promise<DnsAnswer<string>> => {
    asked.push(key);
    const records = zone[key];
    return Promise.resolve(records ? { outcome: 'found', records, ttlSeconds: 60 } : { outcome: 'nxdomain' });
  };
  return {
    asked,
    txt: (name) => look(`TXT ${name}`),
    a: (name) => look(`A ${name}`),
    aaaa: (name) => look(`AAAA ${name}`),
    ptr: (name) => look(`PTR ${name}`),
    cname: (name) => look(`CNAME ${name}`),
    mx: () => Promise.resolve({ outcome: 'nxdomain' }),
  };
}

const ENVELOPE: ReportEnvelope = {
  clientAddress: '192.0.2.25',
  clientName: 'mail.example.com',
  mailFrom: 'news@example.com',
  tls: 'TLSv1.3',
};

const NO_SECTIONS = {
  transport: null,
  headers: null,
  unsubscribe: null,
  content: null,
  reputation: [],
  spam_filter: null,
};

async function judged(raw: Buffer, { envelope = ENVELOPE, dns = dnsOf() } = {}) {
  return authenticationSection(signatureLook(raw, envelope), envelope, dns);
}

// Run by the oldest Node that we claim, although mailauth declares a newer one (docs/adr/0045).
describe('the authentication of a message', () => {
  it('the authentication of a message passes what is signed and sent as its domain publishes', async () => {
    expect(await judged(await signedMail())).toEqual({
      spf: { result: 'pass', domain: 'example.com', record: 'v=spf1 ip4:192.0.2.25 -all', lookups: 0, aligned: true },
      dkim: [
        {
          result: 'pass',
          domain: 'example.com',
          selector: 's1',
          algorithm: 'rsa-sha256',
          key_bits: 2048,
          aligned: true,
          signed_headers: expect.arrayContaining(['from', 'subject', 'list-unsubscribe']),
          covers_whole_body: true,
          testing: false,
          comment: null,
        },
      ],
      dmarc: {
        result: 'pass',
        domain: 'example.com',
        policy: 'reject',
        policy_domain: 'example.com',
        record: 'v=DMARC1; p=reject; adkim=s',
        aligned_by: ['spf', 'dkim'],
      },
      arc: { result: 'none', instances: 0 },
    });
  });

  it('the authentication of a message fails a message that was changed after it was signed', async () => {
    const raw = await signedMail();
    const changed = Buffer.from(raw.toString('latin1').replace('reader, this', 'reader. This'), 'latin1');
    const { dkim, dmarc } = await judged(changed);
    expect(dkim).toMatchObject([{ result: 'neutral', aligned: false }]);
    expect(dmarc).toMatchObject({ result: 'pass', aligned_by: ['spf'] });
  });

  it.each([
    ['a key of 768 bits', 'sha256', 'short_key', /key has 768 bits/, /2048 bits/],
    ['SHA-1', 'sha1', 'sha1', /rsa-sha1/, /rsa-sha256/],
  ] as const)(
    'the authentication of a message fails a signature that is made with %s, and names it as the cause',
    async (_, hash, cause, words, fix) => {
      const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 768 });
      const own = cause === 'short_key' ? { key: privateKey } : {};
      const record = cause === 'short_key' ? dkimRecord(publicKey) : DKIM_RECORD;
      const dns = dnsOf({ ...ZONE, 'TXT s1._domainkey.example.com': [record] });
      const authentication = await judged(await signedMail({ hash, ...own }), { dns });
      expect(authentication.dkim).toMatchObject([{ result: 'policy', aligned: false }]);
      const found = judgeAuthentication({ ...NO_SECTIONS, authentication }).filter(({ code }) => code === 'dkim_fail');
      expect(found).toMatchObject([{ evidence: { cause } }]);
      expect(found[0]!.explanation).toMatch(words);
      expect(found[0]!.fix).toMatch(fix);
    },
  );

  it('the authentication of a message fails a changed message for no cause that is known', async () => {
    const raw = Buffer.from((await signedMail()).toString('latin1').replace('reader, this', 'reader. This'), 'latin1');
    const found = judgeAuthentication({ ...NO_SECTIONS, authentication: await judged(raw) });
    expect(found.find(({ code }) => code === 'dkim_fail')?.evidence).toMatchObject({ cause: null });
  });

  it('the authentication of a message fails DMARC where nothing that passes is of the domain of From', async () => {
    const raw = await signedMail({ signer: 'provider.example' });
    const { spf, dkim, dmarc } = await judged(raw, { envelope: { ...ENVELOPE, clientAddress: '198.51.100.7' } });
    expect(spf).toMatchObject({ result: 'fail', aligned: false });
    expect(dkim).toMatchObject([{ result: 'pass', domain: 'provider.example', aligned: false }]);
    expect(dmarc).toMatchObject({ result: 'fail', aligned_by: [] });
  });

  it.each([
    ['its own domain', 'news@example.com', 'example.com'],
    ['another domain of its organization', 'news@mail.example.com', 'example.com'],
  ])(
    'the authentication of a message is aligned by what passes for %s, although there is no DMARC record',
    async (_, mailFrom, signer) => {
      const { ['TXT _dmarc.example.com']: _dmarc, ...zone } = ZONE;
      const dns = dnsOf({ ...zone, 'TXT mail.example.com': ['v=spf1 ip4:192.0.2.25 -all'] });
      const { spf, dkim, dmarc } = await judged(await signedMail({ signer }), {
        envelope: { ...ENVELOPE, mailFrom },
        dns,
      });
      expect(spf).toMatchObject({ result: 'pass', aligned: true });
      expect(dkim).toMatchObject([{ result: 'pass', aligned: true }]);
      expect(dmarc).toMatchObject({ result: 'none', record: null, aligned_by: ['spf', 'dkim'] });
    },
  );

  it('the authentication of a message is not aligned by what passes for somebody else, whatever there is of DMARC', async () => {
    const { ['TXT _dmarc.example.com']: _dmarc, ...zone } = ZONE;
    const dns = dnsOf({ ...zone, 'TXT provider.example': ['v=spf1 ip4:192.0.2.25 -all'] });
    const envelope = { ...ENVELOPE, mailFrom: 'bounce@provider.example' };
    const { spf, dkim, dmarc } = await judged(await signedMail({ signer: 'provider.example' }), { envelope, dns });
    expect([spf?.aligned, dkim[0]?.aligned, dmarc.aligned_by]).toEqual([false, false, []]);
  });

  it('the authentication of a message says nothing of SPF when nobody has said from where it came', async () => {
    const envelope = { clientAddress: null, clientName: null, mailFrom: null, tls: null };
    expect((await judged(await signedMail(), { envelope })).spf).toBeNull();
  });

  it('the authentication of a message looks at ten signatures, however many somebody writes', async () => {
    const [signature] = /^DKIM-Signature:[^]*?\r\n(?=\S)/m.exec((await signedMail()).toString('latin1'))!;
    const raw = Buffer.concat([
      ...Array.from({ length: 100 }, (_, index) => Buffer.from(signature.replace('s=s1', `s=s${index}`), 'latin1')),
      await signedMail(),
    ]);
    const dns = dnsOf();
    expect((await judged(raw, { dns })).dkim.length).toBeLessThanOrEqual(10);
    expect(dns.asked.filter((name) => name.includes('_domainkey')).length).toBeLessThanOrEqual(10);
  });

  it('the authentication of a message fetches no logo, whatever BIMI record there is', async () => {
    const dns = dnsOf({ ...ZONE, 'TXT default._bimi.example.com': ['v=BIMI1; l=https://127.0.0.1:1/logo.svg'] });
    await judged(await signedMail(), { dns });
    expect(dns.asked.filter((name) => name.includes('_bimi'))).toEqual([]);
  });

  it.each([
    ['both fields are', { signed: 'from:subject:list-unsubscribe:list-unsubscribe-post' }, true],
    ['List-Unsubscribe alone is', { signed: 'from:subject:list-unsubscribe' }, false],
    ['nothing is signed', { signer: null }, false],
  ])(
    'the authentication of a message says whether DKIM covers one-click unsubscribing: %s',
    async (_what, mail, isSigned) => {
      const raw = await signedMail(mail);
      const message = (await readMessage(raw))!;
      const authentication = await authenticationSection(signatureLook(raw, ENVELOPE), ENVELOPE, dnsOf());
      expect(unsubscribeSection(message, authentication)).toEqual({
        list_unsubscribe: true,
        well_formed: true,
        https_hosts: ['example.com'],
        mailto: true,
        one_click: true,
        signed: isSigned,
      });
    },
  );
});
