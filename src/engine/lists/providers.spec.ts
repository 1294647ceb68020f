import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseMailProviders } from './providers.js';

const path = join(import.meta.dirname, '../../../config/mail-providers.json');
type Json = Record<string, Record<string, unknown>>;
const rows = (): Json => JSON.parse(readFileSync(path, 'utf8')) as Json;
const providers = parseMailProviders(rows());

describe('the rows of config/mail-providers.json', () => {
  it.each([
    ['aspmx.l.google.com', 'google'],
    ['alt4.gmail-smtp-in.l.google.com', 'google'],
    ['aspmx2.googlemail.com', 'google'],
    ['outlook-com.olc.protection.outlook.com', 'outlook'],
    ['contoso-com.mail.protection.outlook.com', 'microsoft-365'],
    ['contoso-com.a-v1.mx.microsoft', 'microsoft-365'],
    ['mta5.am0.yahoodns.net', 'yahoo'],
    ['mx1.mail.yahoo.co.jp', 'yahoo-japan'],
    ['mx01.mail.icloud.com', 'icloud'],
    ['mx00.gmx.net', 'gmx'],
    ['mx-ha03.web.de', 'gmx'],
    ['mx00.mail.com', 'gmx'],
    ['mx00.t-online.de', 't-online'],
    ['mxs.mail.ru', 'mail-ru'],
    ['mx.yandex.ru', 'yandex'],
    ['mx2.zoho.eu', 'zoho'],
    ['mailsec.protonmail.ch', 'proton'],
    ['mxbiz1.qq.com', 'qq'],
    ['163mx01.mxmail.netease.com', 'netease'],
    ['smtp-in.orange.fr', 'orange'],
    ['mx1.free.fr', 'free-fr'],
    ['mx1h1.comcast.net', 'comcast'],
    ['al-ip4-mx-vip1.prodigy.net', 'att'],
    ['mx0a-00123456.pphosted.com', 'proofpoint'],
    ['mx1-us1.ppe-hosted.com', 'proofpoint-essentials'],
    ['eu-smtp-inbound-1.mimecast.com', 'mimecast'],
    ['d12345a.ess.barracudanetworks.com', 'barracuda'],
    ['mx1.hc1234-56.iphmx.com', 'cisco'],
    ['contoso.in.tmes.trendmicro.com', 'trend-micro'],
    ['cluster1.eu.messagelabs.com', 'symantec'],
    ['mx1.emailsrvr.com', 'rackspace'],
  ])('the rows of config/mail-providers.json say that %s is of %s', (host, name) => {
    expect(providers.forMailHost(host).name).toBe(name);
    expect(providers.forMailHost(host).name).toBe(name);
  });

  it('the rows of config/mail-providers.json match whole labels only, so a lookalike host is nobody known', () => {
    for (const host of [
      'mx.notgoogle.com',
      'google.com.evil.example',
      'mx.example.org',
      'protection.outlook.com',
      'com',
      '',
    ])
      expect(providers.forMailHost(host), host).toBe(providers.fallback);
  });

  it('the rows of config/mail-providers.json know an operator by its own domains, and by no others', () => {
    expect(providers.forDomain('gmail.com')?.name).toBe('google');
    expect(providers.forDomain('hotmail.fr')?.name).toBe('outlook');
    expect(providers.forDomain('aol.com')?.rcpt).toBe('hides');
    expect(providers.forDomain('sub.gmail.com')).toBeNull();
    expect(providers.forDomain('example.com')).toBeNull();
  });

  it('the rows of config/mail-providers.json never put two recipients in a transaction for Microsoft', () => {
    for (const host of ['outlook-com.olc.protection.outlook.com', 'x.mail.protection.outlook.com', 'x.mx.microsoft'])
      expect(providers.forMailHost(host).caps.recipientsPerTransaction).toBe(1);
  });

  it('the rows of config/mail-providers.json end a connection after 8 refusals at most', () => {
    for (const { name, caps } of [...providers.all, providers.fallback])
      expect(caps.refusalsPerConnection, name).toBeLessThanOrEqual(8);
  });

  // KumoMTA's delivery limits: connections (null: its default of 10) and messages a connection.
  it.each([
    ['default', 10, 100],
    ['google', 5, 50],
    ['outlook', 5, 50],
    ['microsoft-365', 5, 50],
    ['yahoo', 10, 20],
    ['icloud', 10, 5],
    ['mimecast', 10, 100],
    ['barracuda', 10, 15],
    ['gmx', 4, 20],
    ['orange', 2, 100],
    ['yahoo-japan', 2, 20],
    ['qq', 4, 8],
    ['netease', 4, 7],
    ['comcast', 25, 1000],
  ])(
    'the rows of config/mail-providers.json take half of what a delivering sender may take of %s',
    (name, connections, messages) => {
      const { caps } = [...providers.all, providers.fallback].find((row) => row.name === name)!;
      expect(caps.connections).toBe(Math.floor(connections / 2));
      expect(caps.transactionsPerConnection).toBe(Math.floor(messages / 2));
    },
  );

  it('the rows of config/mail-providers.json say that nobody but the Yahoo family and Mail.ru hides mailboxes', () => {
    expect(providers.all.filter(({ rcpt }) => rcpt === 'hides').map(({ name }) => name)).toEqual([
      'yahoo',
      'yahoo-japan',
      'mail-ru',
    ]);
  });

  it('the rows of config/mail-providers.json leave no operator without a made-up name because it is believed, but those that say why', () => {
    const believed = providers.all.filter(({ ownDomainsCatchAll }) => ownDomainsCatchAll === 'no');
    expect(believed.map(({ name }) => name)).toEqual(['outlook']);
    for (const { why } of believed) expect(why).toContain('no made-up names');
  });

  it('the rows of config/mail-providers.json claim no constant about catch-all for a domain on which RCPT proves nothing', () => {
    for (const row of providers.all) if (row.rcpt === 'hides') expect(row.ownDomainsCatchAll, row.name).toBeNull();
    expect(providers.fallback.ownDomainsCatchAll).toBeNull();
  });
});

describe('a wrong mail-providers.json', () => {
  const refusal = (change: (json: Json) => unknown): string => {
    const json = rows();
    change(json);
    try {
      parseMailProviders(json);
    } catch (error) {
      return (error as Error).message;
    }
    return 'accepted';
  };
  const caps = (json: Json, row: string): Record<string, unknown> => json[row]!['caps'] as Record<string, unknown>;

  it.each<[string, (json: Json) => unknown, RegExp]>([
    ['no default row', (json) => delete json['default'], /"default" is missing/],
    ['a row name that is not kebab case', (json) => (json['Big_Mail'] = json['google']!), /Big_Mail: "Big_Mail"/],
    ['a row that is a text', (json) => ((json as Record<string, unknown>)['qq'] = 'x'), / qq: "x"/],
    ['a missing member', (json) => delete json['qq']!['why'], /qq\.why: missing/],
    ['an unknown member', (json) => (json['qq']!['rate'] = 1), /qq\.rate: there is no such member/],
    ['no connections', (json) => (caps(json, 'qq')['connections'] = 0), /qq\.caps\.connections: 0/],
    ['a fraction', (json) => (caps(json, 'qq')['connections'] = 2.5), /qq\.caps\.connections: 2\.5/],
    ['a number as text', (json) => (caps(json, 'qq')['connections'] = '2'), /qq\.caps\.connections: "2"/],
    ['an unknown cap', (json) => (caps(json, 'qq')['messages'] = 2), /qq\.caps\.messages: there is no such/],
    ['a rate of zero', (json) => (caps(json, 'qq')['connectionsPerMinute'] = 0), /connectionsPerMinute: 0/],
    ['caps that are a list', (json) => (json['qq']!['caps'] = []), /qq\.caps: \[\]/],
    ['an honesty of its own', (json) => (json['qq']!['rcpt'] = 'mostly'), /qq\.rcpt: "mostly".*honest, varies, hides/],
    ['catch-all as a constant yes', (json) => (json['qq']!['ownDomainsCatchAll'] = 'yes'), /ownDomainsCatchAll: "yes"/],
    ['a gateway that is a text', (json) => (json['qq']!['gateway'] = 'no'), /qq\.gateway: "no"/],
    ['an empty why', (json) => (json['qq']!['why'] = ' '), /qq\.why/],
    ['a suffix with a leading dot', (json) => (json['qq']!['mx'] = ['.qq.com']), /qq\.mx\[0\]: "\.qq\.com"/],
    ['a suffix in capitals', (json) => (json['qq']!['mx'] = ['QQ.com']), /qq\.mx\[0\]: "QQ\.com"/],
    ['a whole top-level domain', (json) => (json['qq']!['mx'] = ['com']), /qq\.mx\[0\]: "com"/],
    ['a row without hosts', (json) => (json['qq']!['mx'] = []), /qq\.mx/],
    ['a default row with hosts', (json) => (json['default']!['mx'] = ['example.com']), /default\.mx/],
    ['a row without title', (json) => (json['qq']!['title'] = null), /qq\.title/],
    [
      'a suffix of two operators',
      (json) => (json['qq']!['mx'] = ['google.com']),
      /qq\.mx: google\.com is also in google/,
    ],
    ['a domain of two operators', (json) => (json['qq']!['domains'] = ['gmail.com']), /gmail\.com is also in google/],
  ])('a wrong mail-providers.json with %s stops the start and says where', (_, change, message) => {
    expect(refusal(change)).toMatch(message);
  });

  it.each([[[]], [null], ['rows'], [undefined]])(
    'a wrong mail-providers.json with the root %j stops the start',
    (root) => {
      expect(() => parseMailProviders(root)).toThrow('config/mail-providers.json: must be an object of rows by name');
    },
  );
});
