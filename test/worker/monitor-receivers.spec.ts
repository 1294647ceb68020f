import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { MonitorSweep } from '../../src/deliverability/monitors/monitor-sweep.js';
import { readBlacklists } from '../../src/deliverability/blacklists/blacklists-file.js';
import { REDIS, type RedisClient } from '../../src/platform/redis/redis.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call } from '../support/call.js';
import { type DnsReply, type DnsServer, startDnsServer } from '../support/dns-server.js';
import { startService, type TestService } from '../support/service.js';

const DAY = 86_400_000;
const ROUND = 100 * 60_000;
// A name whose registry nobody can ask, so that the DNS alone answers.
const DOMAIN = 'shop.example';
const [SENDER, RECEIVER, OPERATOR] = ['8.8.9.1', '8.8.9.2', '8.8.9.3'] as const;

const time = { at: Date.now(), now: () => time.at };
const ZONE: Record<string, DnsReply> = {
  [`MX ${DOMAIN}`]: {
    MX: [
      [10, 'mx.shop.example'],
      [20, 'aspmx.l.google.com'],
    ],
  },
  'A mx.shop.example': { A: [RECEIVER] },
  'A aspmx.l.google.com': { A: [OPERATOR] },
  [`TXT ${DOMAIN}`]: { TXT: [`v=spf1 ip4:${SENDER} -all`] },
  'A 2.0.0.127.psbl.surriel.com': { A: ['127.0.0.2'] },
  'A test.dbl.nordspam.com': { A: ['127.0.0.2'] },
};
const listed = new Set<string>();
let zone: Record<string, DnsReply> = ZONE;
let dns: DnsServer;
let service: TestService;
let account: FullAccount;

function answer(name: string, type: string): DnsReply | undefined {
  const [, d, c, b, a] = /^(\d+)\.(\d+)\.(\d+)\.(\d+)\.psbl\.surriel\.com$/.exec(name) ?? [];
  if (type === 'A' && listed.has(`${a}.${b}.${c}.${d}`)) return { A: ['127.0.0.2'] };
  return zone[`${type} ${name}`] ?? 'nxdomain';
}

beforeAll(async () => {
  dns = await startDnsServer({ answer });
  service = await startService({ env: { dnsServers: [dns.address] }, clock: time });
});

afterAll(async () => {
  await service.close();
  await dns.close();
});

beforeEach(async () => {
  zone = ZONE;
  listed.clear();
  for (const address of [SENDER, RECEIVER, OPERATOR]) listed.add(address);
  // What lists have said is remembered for some minutes.
  time.at += DAY;
  await onDatabase(service.env.databaseUrl, 'DELETE FROM monitors', []);
  account = await createFullAccount({ url: service.env.databaseUrl }, { plan: 'pro' });
});

const ask = (path: string, options: Parameters<typeof call>[2] = {}) =>
  call(service, `/api/v1${path}`, { key: account.liveKey, ...options });

async function watch(): Promise<number> {
  const body = { kind: 'domain', target: DOMAIN, checks: ['blacklists'] };
  return (await ask('/monitors', { body })).body.id as number;
}

async function run(): Promise<void> {
  time.at += ROUND;
  await service.app.get(MonitorSweep).runDue();
}

const foundOf = async (id: number) =>
  (await ask(`/monitors/${id}/findings`)).body.findings
    .filter(({ code }: { code: string }) => code === 'blacklist_listed')
    .map(
      ({
        severity,
        state,
        evidence,
      }: {
        severity: string;
        state: string;
        evidence: { target: string; role: string };
      }) => `${evidence.target} ${evidence.role} ${severity} ${state}`,
    )
    .toSorted();

it('mail hosts are looked for on lists too, at a lower severity than what sends, and those of mail operators are not', async () => {
  const id = await watch();
  await run();
  expect(await foundOf(id)).toEqual([`${SENDER} sender warning open`, `${RECEIVER} receiver info open`]);
  expect((await ask(`/monitors/${id}`)).body.state).toBe('warning');
  expect(dns.questions.some(({ name }) => name.startsWith('3.9.8.8.'))).toBe(false);
});

it('a mail host that leaves the records is watched no more, and one that nobody answers for stays as it is', async () => {
  const id = await watch();
  await run();
  zone = { ...ZONE, [`MX ${DOMAIN}`]: 'servfail' };
  await run();
  expect(await foundOf(id)).toContain(`${RECEIVER} receiver info open`);
  zone = { ...ZONE, [`MX ${DOMAIN}`]: { MX: [[20, 'aspmx.l.google.com']] } };
  await run();
  expect(await foundOf(id)).toEqual([`${SENDER} sender warning open`, `${RECEIVER} receiver info resolved`]);
});

it('a list whose day is nearly over is asked about what sends, and about no mail host', async () => {
  const redis = service.app.get<RedisClient>(REDIS);
  const { queriesPerDay } = readBlacklists().find(({ id }) => id === 'psbl')!;
  const id = await watch();
  await redis.set(`blacklists:psbl:${Math.floor((time.at + ROUND) / DAY)}`, Math.ceil(queriesPerDay * 0.7));
  await run();
  expect(await foundOf(id)).toEqual([`${SENDER} sender warning open`]);
  const { runs } = (await ask(`/monitors/${id}/runs`)).body;
  const { facts } = (await ask(`/monitors/${id}/runs/${runs[0].id}`)).body;
  expect(facts.blacklists).toContainEqual({ list: 'psbl', target: RECEIVER, status: 'not_asked', why: 'budget' });
  // What was not asked about receivers leaves nothing unknown.
  expect(runs[0].answered).toBe(true);
});
