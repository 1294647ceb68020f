import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RecordResolver } from '../../src/platform/dns/record-resolver.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';

let dns: DnsServer;
let silent: DnsServer;

beforeAll(async () => {
  silent = await startDnsServer({ zones: { 'example.com': 'silent' } });
  dns = await startDnsServer({
    zones: {
      'example.com': {
        A: ['192.0.2.1', '192.0.2.2'],
        AAAA: ['2001:db8::1'],
        MX: [
          [10, 'MX.Example.com'],
          [0, '.'],
        ],
        TXT: [['v=spf1 ', '-all'], 'other'],
        ttlSeconds: 77,
      },
      'alias.example.com': { CNAME: 'example.com' },
      'large.example.com': { TXT: ['x'.repeat(200)], truncated: true },
      '1.2.0.192.in-addr.arpa': { PTR: ['Mail.Example.com'] },
      'servfail.example.com': 'servfail',
      'refused.example.com': 'refused',
      'malformed.example.com': 'malformed',
    },
  });
});

afterAll(() => Promise.all([dns.close(), silent.close()]));

describe('the resolver of records', () => {
  const resolver = () => new RecordResolver([dns.address]);

  it('the resolver of records reads records of each type, with the time for which they hold', async () => {
    const found = { outcome: 'found', ttlSeconds: 77 };
    expect(await resolver().a('example.com')).toMatchObject({ ...found, records: ['192.0.2.1', '192.0.2.2'] });
    expect(await resolver().aaaa('example.com')).toMatchObject({ ...found, records: ['2001:db8::1'] });
    expect(await resolver().txt('example.com')).toMatchObject({ ...found, records: ['v=spf1 -all', 'other'] });
    const records = [
      { exchange: 'mx.example.com', preference: 10 },
      { exchange: '', preference: 0 },
    ];
    expect(await resolver().mx('example.com')).toMatchObject({ ...found, records });
    expect(await resolver().ptr('1.2.0.192.in-addr.arpa')).toMatchObject({ records: ['mail.example.com'] });
    expect(await resolver().a('alias.example.com')).toMatchObject({ records: ['192.0.2.1', '192.0.2.2'] });
  });

  it('the resolver of records tells absence, failure and silence apart', async () => {
    expect(await resolver().a('nowhere.example.com')).toMatchObject({ outcome: 'nxdomain' });
    expect(await resolver().ns('example.com')).toMatchObject({ outcome: 'nodata' });
    expect(await resolver().a('servfail.example.com')).toEqual({ outcome: 'servfail' });
    expect(await resolver().a('refused.example.com')).toEqual({ outcome: 'servfail' });
    expect(await resolver().a(`${'a'.repeat(64)}.example.com`)).toEqual({ outcome: 'servfail' });
    expect(await new RecordResolver(['127.0.0.1:9']).a('example.com')).toEqual({ outcome: 'timeout' });
  });

  it('the resolver of records lets 5,000 questions of an account wait, takes no more of it, and asks those of another', async () => {
    let answer = (): void => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    const slow = await startDnsServer({ answer: (name) => held.then(() => ({ A: [`192.0.2.${name.length % 250}`] })) });
    const asking = new RecordResolver([slow.address]);
    const many = Array.from({ length: 5_000 }, (_, i) => asking.a(`n${i}.example.com`, { account: 'many' }));
    expect(await asking.a('more.example.com', { account: 'many' })).toEqual({ outcome: 'timeout' });
    const others = [asking.a('one.example.com', { account: 'other' }), asking.a('two.example.com')];
    await expect
      .poll(() => slow.questions.map(({ name }) => name))
      .toEqual(expect.arrayContaining(['one.example.com', 'two.example.com']));
    answer();
    await Promise.all([...others, ...many]);
    expect(slow.questions.map(({ name }) => name)).not.toContain('more.example.com');
    expect(await asking.a('more.example.com', { account: 'many' })).toMatchObject({ outcome: 'found' });
    await slow.close();
  });

  it('the resolver of records repeats an answer that was cut off over TCP', async () => {
    expect(await resolver().txt('large.example.com')).toMatchObject({ records: ['x'.repeat(200)] });
    expect(dns.questions.at(-1)).toMatchObject({ name: 'large.example.com', transport: 'tcp' });
  });

  it('the resolver of records goes to the next server when one is gone, and begins with it at the next attempt', async () => {
    const two = new RecordResolver(['127.0.0.1:9', dns.address]);
    expect(await two.a('example.com')).toMatchObject({ outcome: 'found' });
    expect(await new RecordResolver([silent.address, dns.address]).a('example.com', { attempt: 1 })).toMatchObject({
      outcome: 'found',
    });
    expect(silent.questions).toEqual([]);
  });
});
