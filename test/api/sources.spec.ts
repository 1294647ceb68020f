import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConfiguredSources } from '../../src/sending/egress/configured-sources.js';
import { EGRESS_SOURCES } from '../../src/sending/egress/egress.module.js';
import { KnownConditions } from '../../src/sending/egress/source-conditions.service.js';
import { SourceReports } from '../../src/verify/engine-reports.js';
import { NewSourceChecks, SourceWatchLoop } from '../../src/sending/sources/watch/source-watch-loop.js';
import { createAdminKey, runAdmin } from '../support/admin.js';
import { onDatabase } from '../support/batches.js';
import { call } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { ManualClock } from '../support/manual-clock.js';
import { startService, type TestService } from '../support/service.js';

const PSBL = 'psbl.surriel.com';
const LISTED = { A: ['127.0.0.2'], TXT: ['Seen sending spam'] };
/** Addresses that nobody connects to: this test only looks at names. */
const [GOOD, BAD, SIX] = ['45.33.32.10', '45.33.33.20', '2600:3c01::10'] as const;

let directory: string;
let database: TestDatabase;
let dns: DnsServer;
let service: TestService;
let other: TestService;
let key: string;
const clock = new ManualClock(Date.now());

const sources = [
  { name: 'good', address: GOOD, helo: 'probe1.example.com', mail_from: 'probe@example.com', region: 'eu' },
  { name: 'bad', address: BAD, helo: 'probe2.example.com', mail_from: 'probe@no-spf.example.com' },
  { name: 'six', address: SIX, helo: 'probe3.example.com', mail_from: '' },
  {
    name: 'proxied',
    socks5: { host: '127.0.0.1', port: 9, user: 'u', password: 'secret' },
    helo: 'silent.example.com',
    mail_from: 'probe@example.com',
    weight: 2,
    operators: ['google'],
  },
];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'sources-'));
  writeFileSync(join(directory, 'egress.json'), JSON.stringify({ sources }));
  dns = await startDnsServer({
    zones: {
      'probe1.example.com': { A: [GOOD] },
      '10.32.33.45.in-addr.arpa': { PTR: ['probe1.example.com'] },
      'example.com': { TXT: [`v=spf1 ip4:${GOOD} -all`] },
      'probe2.example.com': { A: ['45.33.33.99'] },
      '20.33.33.45.in-addr.arpa': { PTR: ['elsewhere.example.com'] },
      'elsewhere.example.com': { A: ['45.33.33.98'] },
      'probe3.example.com': { AAAA: [SIX], TXT: [`v=spf1 ip6:${SIX} -all`] },
      '0.1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1.0.c.3.0.0.6.2.ip6.arpa': {
        PTR: ['probe3.example.com'],
      },
      'silent.example.com': 'servfail',
      [`2.0.0.127.${PSBL}`]: LISTED,
    },
  });
  database = await createTestDatabase();
  [service, other] = await Promise.all([start(), start()]);
  key = await createAdminKey(service);
});

afterAll(async () => {
  await Promise.all([service.close(), other.close()]);
  await dns.close();
  await database.drop();
  rmSync(directory, { recursive: true });
});

const start = () =>
  startService({
    database,
    clock,
    env: { dnsServers: [dns.address], egressFile: join(directory, 'egress.json') },
  });
const admin = (path = '', body?: object) =>
  call(service, `/admin/v1/egress${path}`, { key, ...(body && { body }), method: path === '' ? 'GET' : 'POST' });
const source = async (name: string) => (await admin()).body.sources.find((one: { name: string }) => one.name === name);
const statesOf = ({ checks }: { checks: readonly { check: string; state: string }[] }) =>
  Object.fromEntries(checks.map(({ check, state }) => [check, state]));
const round = (at: TestService) => at.app.get(SourceWatchLoop, { strict: false }).run();
const conditionOf = async (name: string, at = service) => {
  const conditions = at.app.get(KnownConditions, { strict: false });
  await conditions.read();
  return conditions.of(name);
};

describe('the watch over our own sending addresses', () => {
  it('the watch over our own sending addresses is held each quarter of an hour by one process of all, and by another when that one is killed', async () => {
    expect((await Promise.all([round(service), round(other)])).filter(Boolean)).toHaveLength(1);
    expect(await round(service)).toBe(false);
    clock.advance(14 * 60_000);
    expect(await round(other)).toBe(false);
    clock.advance(2 * 60_000 + 1);
    // A killed process leaves its lease.
    const [now, id] = [new Date(clock.now()), '00000000-0000-4000-8000-000000000001'];
    const lease = `UPDATE source_watch SET leased_by = $1, leased_until = $2::timestamptz + interval '5 minutes'`;
    await onDatabase(database.url, lease, [id, now]);
    expect(await round(other)).toBe(false);
    clock.advance(5 * 60_000);
    expect(await round(other)).toBe(true);
  });

  it('the watch over our own sending addresses tells of each source what mail hosts see: HELO name, reverse name, SPF, port 25 and block lists', async () => {
    const { body } = await admin();
    expect(body.sources.map(({ name }: { name: string }) => name)).toEqual(['good', 'bad', 'six', 'proxied']);
    const [good, bad, six, proxied] = body.sources;
    const passed = { helo: 'pass', reverse_name: 'pass', spf: 'pass' };
    expect(statesOf(good)).toEqual({ ...passed, port_25: 'unknown', block_lists: 'pass' });
    expect(statesOf(bad)).toMatchObject({ helo: 'fail', reverse_name: 'fail', spf: 'fail' });
    expect(statesOf(six)).toMatchObject(passed);
    expect(statesOf(proxied)).toMatchObject({ helo: 'unknown', reverse_name: 'unknown', spf: 'unknown' });
    const texts = bad.checks.map(({ text }: { text: string }) => text).join('\n');
    expect(texts).toContain(`probe2.example.com leads to 45.33.33.99, not to ${BAD}`);
    expect(texts).toContain(`${BAD} is elsewhere.example.com, which does not lead back to it`);
    expect(texts).toContain('no-spf.example.com has no SPF record');
    expect(good).toMatchObject({ address: GOOD, proxy: null, region: 'eu', condition: 'open', weight: 1 });
    expect(proxied).toMatchObject({ address: null, proxy: '127.0.0.1:9', operators: ['google'], weight: 2 });
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  it('the watch over our own sending addresses lets a listed source rest until two looks find it clean, and tells it', async () => {
    const name = `10.32.33.45.${PSBL}`;
    dns.set(name, LISTED);
    const { body } = await admin('/good/test');
    expect(body).toMatchObject({ condition: 'resting', reason: 'listed on psbl' });
    expect(body.listings).toMatchObject([{ list: 'psbl', address: GOOD, harmful: true }]);
    expect(body.listings[0].text).toContain('Seen sending spam');
    expect(await conditionOf('good')).toBe('drained');
    expect(await conditionOf('good', other)).toBe('drained');
    dns.set(name, 'nxdomain');
    expect((await admin('/good/test')).body.condition).toBe('resting');
    dns.set(`2.0.0.127.${PSBL}`, { A: ['127.255.255.254'] });
    expect(statesOf((await admin('/good/test')).body)['block_lists']).toBe('unknown');
    dns.set(`2.0.0.127.${PSBL}`, LISTED);
    expect((await admin('/good/test')).body.condition).toBe('resting');
    const clean = (await admin('/good/test')).body;
    expect([clean.condition, clean.listings]).toEqual(['open', []]);
    expect(await conditionOf('good')).toBe('open');
  });

  it('the watch over our own sending addresses takes a refusal to answer, and a list that lists everything, for no listing', async () => {
    dns.set(`10.32.33.45.${PSBL}`, { A: ['127.255.255.254'] });
    expect((await admin('/good/test')).body).toMatchObject({ condition: 'open', listings: [] });
    dns.set(`*.${PSBL}`, LISTED);
    dns.set(`10.32.33.45.${PSBL}`, LISTED);
    expect((await admin('/good/test')).body).toMatchObject({ condition: 'open', listings: [] });
    dns.set(`*.${PSBL}`, 'nxdomain');
    dns.set(`10.32.33.45.${PSBL}`, 'nxdomain');
  });
});

it('a source that is new, or known by another name now, is looked at at once by one process of all', async () => {
  const looks = async () => {
    for (const { app } of [service, other])
      await app.get<ConfiguredSources>(EGRESS_SOURCES, { strict: false }).refreshIfChanged();
    return (
      await Promise.all([service, other].map(({ app }) => app.get(NewSourceChecks, { strict: false }).run()))
    ).flat();
  };
  const configure = (...more: object[]) =>
    writeFileSync(join(directory, 'egress.json'), JSON.stringify({ sources: [...sources, ...more] }));
  const fifth = { name: 'fifth', address: '45.33.34.50', helo: 'probe1.example.com', mail_from: 'probe@example.com' };
  await looks();
  configure(fifth);
  expect(await looks()).toEqual(['fifth']);
  expect(statesOf(await source('fifth'))).toMatchObject({ helo: 'fail', spf: 'fail' });
  expect(await looks()).toEqual([]);
  clock.advance(61_000);
  configure({ ...fifth, address: GOOD });
  expect(await looks()).toEqual(['fifth']);
  expect(statesOf(await source('fifth'))).toMatchObject({ helo: 'pass', spf: 'pass' });
  configure();
  await looks();
});

describe('an administrator', () => {
  it('an administrator drains, pauses and resumes a source in all processes, by HTTP and by commands, on record', async () => {
    const drained = await admin('/six/drain', { reason: 'moves' });
    expect(drained.body).toMatchObject({ name: 'six', condition: 'drained', reason: 'moves', by: expect.any(String) });
    expect([await conditionOf('six'), await conditionOf('six', other)]).toEqual(['drained', 'drained']);
    expect((await command('egress', 'pause', 'six', '--reason', 'gone')).exit).toBe(0);
    expect(await conditionOf('six', other)).toBe('paused');
    expect((await command('egress', 'list')).out).toMatch(/six +2600:3c01::10 +paused +gone/);
    expect((await command('egress', 'test', 'bad')).exit).toBe(1);
    expect((await admin('/six/resume')).body).toMatchObject({ condition: 'open', reason: null, stopped_at: null });
    expect(await conditionOf('six', other)).toBe('open');
    const { entries } = (await call(service, '/admin/v1/audit?limit=4', { key })).body;
    expect(entries.map(({ act }: { act: string }) => act)).toEqual([
      'source.resume',
      'source.test',
      'source.pause',
      'source.drain',
    ]);
  });

  it('an administrator is told which processes use a source', async () => {
    await service.app.get(SourceReports, { strict: false }).run();
    const { processes } = await source('good');
    expect(processes).toContainEqual(expect.objectContaining({ port_25: 'unknown', resting_until: null, fault: null }));
  });

  it('an administrator is told when no source has that name', async () => {
    const REASONED = ['drain', 'pause'];
    for (const act of [...REASONED, 'resume', 'test'])
      expect((await admin(`/nobody/${act}`, REASONED.includes(act) ? { reason: 'a slip' } : {})).body.code).toBe(
        'source_not_found',
      );
  });
});

const command = (...words: string[]) => runAdmin(service, ...words);
