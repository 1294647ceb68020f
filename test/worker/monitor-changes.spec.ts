import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { MonitorSweep } from '../../src/deliverability/monitors/monitor-sweep.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call } from '../support/call.js';
import { type DnsReply, type DnsServer, startDnsServer } from '../support/dns-server.js';
import { startService, type TestService } from '../support/service.js';

/** More than an interval and its jitter, so that each round is one run. */
const ROUND = 100 * 60_000;
// A name whose registry nobody can ask, so that the DNS alone answers.
const DOMAIN = 'shop.example';

const time = { at: Date.now(), now: () => time.at };
let zone: Record<string, DnsReply> = {};
let silent = false;
let dns: DnsServer;
let service: TestService;
let account: FullAccount;

beforeAll(async () => {
  dns = await startDnsServer({
    answer: (name, type) => (silent ? undefined : (zone[`${type} ${name}`] ?? 'nxdomain')),
  });
  service = await startService({ env: { dnsServers: [dns.address] }, clock: time });
});

afterAll(async () => {
  await service.close();
  await dns.close();
});

beforeEach(async () => {
  silent = false;
  await onDatabase(service.env.databaseUrl, 'DELETE FROM monitors', []);
  account = await createFullAccount({ url: service.env.databaseUrl }, { plan: 'pro' });
});

const ask = (path: string, options: Parameters<typeof call>[2] = {}) =>
  call(service, `/api/v1${path}`, { key: account.liveKey, ...options });
const mx = (...hosts: readonly string[]): DnsReply => ({
  MX: hosts.map((exchange, index) => [10 * (index + 1), exchange] as const),
});
const ns = (...hosts: readonly string[]): DnsReply => ({ NS: [...hosts] });

async function watch(): Promise<number> {
  const body = { kind: 'domain', target: DOMAIN, checks: ['mx', 'registration'], alert_from: 'info' };
  return (await ask('/monitors', { body })).body.id as number;
}

async function rounds(count: number, before: () => void = () => {}): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    before();
    time.at += ROUND;
    await service.app.get(MonitorSweep).runDue();
  }
}

/** Sorted by code: those of one run are listed in the order in which its checks ended. */
const changesOf = async (id: number) =>
  ((await ask(`/monitors/${id}/findings`)).body.findings as { readonly code: string }[])
    .filter(({ code }) => code.endsWith('_changed'))
    .toSorted((a, b) => (a.code < b.code ? -1 : 1));

it('other name servers and mail hosts are told of when three runs have seen them, by what was before and is now', async () => {
  zone = {
    [`MX ${DOMAIN}`]: mx('mx1.shop.example', 'mx2.shop.example'),
    [`NS ${DOMAIN}`]: ns('ns1.example.net', 'NS2.example.net'),
  };
  const id = await watch();
  await rounds(4);
  zone = {
    [`MX ${DOMAIN}`]: mx('mx1.shop.example', 'mx9.example.org'),
    [`NS ${DOMAIN}`]: ns('ns2.example.net', 'ns1.example.org'),
  };
  await rounds(2);
  expect(await changesOf(id)).toEqual([]);
  await rounds(1);
  expect(await changesOf(id)).toMatchObject([
    {
      code: 'mx_changed',
      state: 'open',
      severity: 'info',
      subject: DOMAIN,
      evidence: {
        before: ['10 mx1.shop.example.', '20 mx2.shop.example.'],
        after: ['10 mx1.shop.example.', '20 mx9.example.org.'],
      },
    },
    {
      code: 'name_servers_changed',
      state: 'open',
      severity: 'warning',
      evidence: {
        before: ['ns1.example.net.', 'ns2.example.net.'],
        after: ['ns1.example.org.', 'ns2.example.net.'],
      },
    },
  ]);
  const { runs } = (await ask(`/monitors/${id}/runs`)).body;
  const { body: diff } = await ask(`/monitors/${id}/diff?from=${runs.at(-1).id}&to=${runs[0].id}`);
  expect(diff.records_changed).toMatchObject([
    { type: 'MX', after: ['10 mx1.shop.example.', '20 mx9.example.org.'] },
    { type: 'NS', after: ['ns1.example.org.', 'ns2.example.net.'] },
  ]);
});

it('answers in turn, in another order, and silence are no change', async () => {
  const robin = [mx('a.shop.example'), mx('b.shop.example')];
  const servers = [ns('ns1.example.net', 'ns2.example.net'), ns('ns2.example.net', 'ns1.example.net')];
  let turn = 0;
  const id = await watch();
  await rounds(14, () => {
    turn += 1;
    silent = turn === 7 || turn === 8;
    zone = { [`MX ${DOMAIN}`]: robin[turn % 2]!, [`NS ${DOMAIN}`]: servers[turn % 2]! };
  });
  expect((await ask(`/monitors/${id}/runs`)).body.runs.length).toBeGreaterThanOrEqual(14);
  expect(await changesOf(id)).toEqual([]);
});
