import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RdapClient, readRdapServices } from '../../src/deliverability/domains/rdap-client.js';
import { rdapServers, type RdapService } from '../../src/engine/domain/registration.js';
import { CONFIG_DIRECTORY } from '../../src/platform/config/config-file.js';
import { startWebHosts, type WebHosts } from '../support/web-hosts.js';

/** The answer of a registry, as RFC 9083 section 5.3 has it. */
const ANSWER = (name: string) => ({
  objectClassName: 'domain',
  ldhName: name.toUpperCase(),
  status: ['clientHold', 'server transfer prohibited'],
  events: [
    { eventAction: 'registration', eventDate: '1997-06-03T00:00:00Z' },
    { eventAction: 'expiration', eventDate: '2027-06-03T00:00:00Z' },
  ],
  nameservers: [{ ldhName: 'NS2.EXAMPLE.NET.' }, { ldhName: 'ns1.example.net' }],
  entities: [
    {
      roles: ['registrar'],
      vcardArray: [
        'vcard',
        [
          ['version', {}, 'text', '4.0'],
          ['fn', {}, 'text', 'Some Registrar'],
        ],
      ],
    },
    { roles: ['registrant'], vcardArray: ['vcard', [['fn', {}, 'text', 'Jane Doe']]] },
  ],
});
const found: RequestListener = ({ url = '', headers }, response) => {
  if (headers.accept !== 'application/rdap+json') return void response.writeHead(406).end();
  response.writeHead(200, { 'content-type': 'application/rdap+json' });
  response.end(JSON.stringify(ANSWER(url.slice(url.lastIndexOf('/') + 1))));
};
const status =
  (code: number, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(code, headers).end('{}');
const text =
  (body: string): RequestListener =>
  (_, response) =>
    response.writeHead(200).end(body);

/** What the registry of each top-level domain does. */
const ANSWERS: Readonly<Record<string, RequestListener>> = {
  'rdap.com.test': found,
  'rdap.limited.test': status(429, { 'retry-after': '120' }),
  'rdap.missing.test': status(404),
  'rdap.broken.test': status(500),
  'rdap.page.test': text('<!doctype html>'),
  'rdap.array.test': text('[]'),
  'rdap.other.test': text(JSON.stringify(ANSWER('example.net'))),
  'rdap.large.test': text(' '.repeat(300_000)),
  'rdap.moved.test': status(302, { location: 'https://rdap.com.test/base/domain/example.moved' }),
  'rdap.circle.test': status(302, { location: '/domain/example.circle' }),
  'rdap.plain.test': status(302, { location: 'http://rdap.com.test/domain/example.plain' }),
  'rdap.inside.test': status(302, { location: 'https://127.0.0.1/domain/example.inside' }),
};
const SERVICES: readonly RdapService[] = [
  ...[
    'com',
    'limited',
    'missing',
    'broken',
    'page',
    'array',
    'other',
    'large',
    'moved',
    'circle',
    'plain',
    'inside',
  ].map((tld): RdapService => [[tld], [`https://rdap.${tld}.test/base/`]]),
  [['gone'], ['https://nobody.gone.test/']],
];

describe('a registry that is asked by RDAP', () => {
  let hosts: WebHosts;
  let now = Date.UTC(2026, 10, 26);
  const clients: RdapClient[] = [];

  beforeAll(async () => {
    hosts = await startWebHosts(ANSWERS);
  });

  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await hosts.close();
  });

  const client = (options: object = {}) => {
    const one = new RdapClient({ ...hosts.options, ...options }, { now: () => now }, SERVICES);
    clients.push(one);
    return one;
  };

  it('a registry that is asked by RDAP tells until when a domain is registered, its statuses in words, its registrar, and nothing of people', async () => {
    const look = await client().look('www.example.com');
    expect(look).toEqual({
      outcome: 'found',
      domain: 'example.com',
      registration: {
        expiresAt: Date.UTC(2027, 5, 3),
        statuses: ['client hold', 'server transfer prohibited'],
        registrar: 'Some Registrar',
        nameServers: ['ns1.example.net', 'ns2.example.net'],
      },
    });
    expect(hosts.served.at(-1)).toBe('rdap.com.test/base/domain/example.com');
  });

  it('a registry that is asked by RDAP may send us on to another server, over HTTPS alone, and not in a circle', async () => {
    expect(await client().look('example.moved')).toMatchObject({ outcome: 'found', domain: 'example.moved' });
    expect(await client().look('example.plain')).toMatchObject({ why: 'no_answer' });
    const before = hosts.served.length;
    expect(await client().look('example.circle')).toMatchObject({ why: 'no_answer' });
    expect(hosts.served.length - before).toBe(3);
  });

  it('a registry that is asked by RDAP is connected to at public addresses only', async () => {
    const guarded = client({ mayConnect: (address: string) => address !== '127.0.0.1' });
    expect(await guarded.look('example.com')).toMatchObject({ why: 'no_answer' });
  });

  it.each([
    ['example.limited', 'rate_limited'],
    ['example.missing', 'not_known'],
    ['example.broken', 'no_answer'],
    ['example.page', 'unreadable'],
    ['example.array', 'unreadable'],
    ['example.other', 'unreadable'],
    ['example.large', 'no_answer'],
    ['example.gone', 'no_answer'],
    ['example.de', 'no_rdap'],
  ])('a registry that is asked by RDAP that says nothing of %s is unknown: %s', async (domain, why) => {
    expect(await client().look(domain)).toEqual({ outcome: 'unknown', why });
  });

  it('a registry that is asked by RDAP is left alone as long as it wants after it has had enough, and not asked twice within ten minutes', async () => {
    const one = client();
    const asked = () => hosts.served.length;
    const before = asked();
    await one.look('a.limited');
    expect(await one.look('b.limited')).toMatchObject({ why: 'rate_limited' });
    expect(asked() - before).toBe(1);
    now += 121_000;
    await one.look('b.limited');
    expect(asked() - before).toBe(2);
    await one.look('example.com');
    await one.look('example.com');
    expect(asked() - before).toBe(3);
    now += 600_001;
    await one.look('example.com');
    expect(asked() - before).toBe(4);
  });
});

describe('config/rdap.json', () => {
  const services = readRdapServices();
  const byName = new Map(services.flatMap(([entries, urls]) => entries.map((entry) => [entry, urls] as const)));

  it('config/rdap.json names a server over HTTPS for every name that it has, each once', () => {
    expect(services.length).toBeGreaterThan(500);
    for (const [entries, urls] of services) {
      expect(entries.length).toBeGreaterThan(0);
      expect(urls.every((url) => /^https:\/\/\S+\/$/.test(url))).toBe(true);
    }
    expect(byName.size).toBe(services.flatMap(([entries]) => entries).length);
  });

  it('config/rdap.json is written by `npm run lists` as it stands, from what IANA publishes', async () => {
    const { rdapFile } = (await import(pathToFileURL(join(CONFIG_DIRECTORY, 'lists/rdap.mjs')).href)) as {
      rdapFile: (published: object, readAt: string) => string;
    };
    const text = readFileSync(join(CONFIG_DIRECTORY, 'rdap.json'), 'utf8');
    const { publication, readAt } = JSON.parse(text) as { publication: string; readAt: string };
    const published = services.map(([entries, urls]) => [entries.toReversed(), ['http://plain.example/', ...urls]]);
    const plain = [['plain'], ['http://plain.example/']];
    expect(rdapFile({ publication, services: [plain, ...published.toReversed()] }, readAt)).toBe(text);
    expect(() => rdapFile({ publication }, readAt)).toThrow('no list');
  });

  it('config/rdap.json leads to the registry by the longest name that it has', () => {
    expect(rdapServers('example.com', byName)).toEqual(['https://rdap.verisign.com/com/v1/']);
    expect(rdapServers('example.co.uk', byName)).toEqual(['https://rdap.nominet.uk/uk/']);
    const two = new Map([
      ['uk', ['https://a.example/']],
      ['co.uk', ['https://b.example/']],
    ]);
    expect(rdapServers('example.co.uk', two)).toEqual(['https://b.example/']);
    expect(rdapServers('example.nothing', two)).toEqual([]);
  });
});
