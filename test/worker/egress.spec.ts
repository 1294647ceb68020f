import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource, type EntityManager } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BatchWorker } from '../../src/batch/worker/batch-worker.js';
import type { ConfiguredSources } from '../../src/sending/egress/configured-sources.js';
import { EGRESS_SOURCES } from '../../src/sending/egress/egress.module.js';
import { SourceConditionsService } from '../../src/sending/egress/source-conditions.service.js';
import type { Env } from '../../src/platform/config/env.js';
import { RefusalReports } from '../../src/verify/ports/smtp-metrics.js';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createAdminKey } from '../support/admin.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startDnsServer, type DnsServer } from '../support/dns-server.js';
import { bodyOnce, isCompleted } from '../support/next-look.js';
import { startScriptedSmtpServer, type ScriptedSmtpServer } from '../support/scripted-smtp-server.js';
import { startService, type TestService } from '../support/service.js';

const directory = mkdtempSync(join(tmpdir(), 'egress-'));
const egressFile = join(directory, 'egress.json');
const ADDRESSES: Readonly<Record<string, string>> = { north: '127.0.1.1', south: '127.0.2.1', west: '127.0.3.1' };
const sourceOf = (name: string) => ({
  name,
  address: ADDRESSES[name],
  helo: `${name}.example.net`,
  mail_from: `probe@${name}.example.net`,
});
const configure = (...names: string[]) => writeFileSync(egressFile, JSON.stringify({ sources: names.map(sourceOf) }));

const time = { later: 0, now: () => Date.now() + time.later };
/** Who asked first for an address that is greylisted, by recipient. */
const seen = new Map<string, string>();
const askers = new Map<string, string[]>();
let dns: DnsServer;
let smtp: ScriptedSmtpServer;
let database: TestDatabase;
let service: TestService;
let account: FullAccount;
let adminKey: string;

const start = (env: Partial<Env> = {}) =>
  startService({
    timer: SYSTEM_TIMER,
    clock: time,
    database,
    env: { dnsServers: [dns.address], smtpPort: smtp.port, mxAllowedNetworks: ['127.0.0.0/8'], egressFile, ...env },
  });

beforeAll(async () => {
  configure('north', 'south');
  dns = await startDnsServer({
    answer: (name, type) =>
      type === 'MX' ? { MX: [[10, `mx.${name}`]] } : name.startsWith('mx.') ? { A: ['127.0.0.1'] } : undefined,
  });
  smtp = await startScriptedSmtpServer({
    onLine: (line, { from }) => {
      const address = /^RCPT TO:<([^>]*)>/i.exec(line)?.[1];
      if (address === undefined) return undefined;
      askers.set(address, [...(askers.get(address) ?? []), from]);
      if (address.startsWith('ok')) return undefined;
      if (address.includes('hostile'))
        return `450 4.2.0 <script>alert(1)</script> <${address}>: greylisted, \u001b[2J\u0000 ${address.replace('@', '%40')}`;
      if (address.startsWith('slow')) return '450 4.7.0 Too many connections, slow down';
      if (address.startsWith('blocked')) return '554 5.7.1 Client host blocked using zen.spamhaus.org';
      if (!address.startsWith('grey')) return '550 5.1.1 User unknown';
      if (seen.get(address) === from) return undefined;
      seen.set(address, from);
      return '450 4.2.0 Greylisted, please come back later';
    },
  });
  database = await createTestDatabase();
  service = await start();
  adminKey = await createAdminKey(service);
  account = await createFullAccount({ url: service.env.databaseUrl }, { credits: 1_000 });
});

afterAll(async () => {
  await service.close();
  await Promise.all([dns.close(), smtp.close(), database.drop()]);
  rmSync(directory, { recursive: true });
});

async function verify(email: string, at = service) {
  const { body } = await call(at, '/api/v1/verify', { key: account.liveKey, body: { email } });
  return body;
}

/** Between looks that are a dozen verifications: what they wait for comes once in a second or two. */
const RARELY = { interval: 200 };

let domains = 0;
/** The sources that ask hosts which are new each time: a connection that is kept warm is used again. */
async function usedNow(): Promise<string[]> {
  const used = new Set<string>();
  for (let i = 0; i < 12; i++) used.add((await verify(`ok@d${(domains += 1)}.example.com`)).evidence.source);
  return [...used].toSorted();
}

it('a batch comes back to hosts that greylist from the address that they have seen, also after a restart', async () => {
  const emails = Array.from({ length: 120 }, (_, i) => `grey.${i}@example.com`);
  const submitted = await call(service, '/api/v1/verify/batch', { key: account.liveKey, body: { emails } });
  const path = `/api/v1/verify/batch/${String(submitted.body.id)}`;
  const status = async () => (await call(service, path, { key: account.liveKey })).body;
  await expect.poll(async () => (await status()).waiting?.count).toBe(120);
  const first = new Map([...askers].map(([address, from]) => [address, from[0]!]));
  expect(new Set(first.values())).toEqual(new Set(['127.0.1.1', '127.0.2.1']));

  const { next_try_at: due } = (await status()).waiting;
  await service.close();
  service = await start();
  time.later += Date.parse(due) - time.now() + 1;
  await service.app.get(BatchWorker).wake();
  const ended = await bodyOnce(() => call(service, path, { key: account.liveKey }), isCompleted);
  expect(ended.counts).toMatchObject({ valid: 120, unknown: 0 });
  for (const address of emails) expect(askers.get(address)).toEqual([first.get(address), first.get(address)]);
  const { results } = (await call(service, `${path}/results`, { key: account.liveKey })).body;
  const names: Record<string, string> = { '127.0.1.1': 'north', '127.0.2.1': 'south' };
  for (const { email, evidence } of results) expect(evidence.source).toBe(names[first.get(email)!]);
});

it('a source that an administrator takes out asks nobody within seconds, and asks again when it is opened', async () => {
  const conditions = service.app.get(SourceConditionsService, { strict: false });
  const inTransaction = (work: (tx: EntityManager) => Promise<unknown>) =>
    service.app.get(DataSource).transaction(work);
  expect(await usedNow()).toEqual(['north', 'south']);
  const reason = 'maintenance';
  await inTransaction((tx) =>
    conditions.takeOut(tx, { source: 'south', condition: 'paused', reason, changedBy: 'test' }),
  );
  await expect.poll(usedNow, RARELY).toEqual(['north']);
  expect(await conditions.list()).toMatchObject([{ source: 'south', condition: 'paused', reason }]);
  await inTransaction((tx) => conditions.open(tx, 'south'));
  await expect.poll(usedNow, RARELY).toEqual(['north', 'south']);
});

it('a changed file is taken over without a restart, and one that the start would refuse changes nothing', async () => {
  configure('north', 'west');
  await expect.poll(usedNow, RARELY).toEqual(['north', 'west']);
  const listed = async () => (await call(service, '/admin/v1/egress', { key: adminKey })).body.sources;
  expect((await listed()).map(({ name }: { name: string }) => name)).toEqual(['north', 'west']);

  const configured = service.app.get<ConfiguredSources>(EGRESS_SOURCES, { strict: false });
  writeFileSync(egressFile, '{ "sources": [{ "name": "north" }] }');
  await configured.refreshIfChanged();
  expect(await usedNow()).toEqual(['north', 'west']);
  rmSync(egressFile);
  await configured.refreshIfChanged();
  expect(await usedNow()).toEqual(['north', 'west']);

  configure('north', 'south');
  await configured.refreshIfChanged();
  expect(await usedNow()).toEqual(['north', 'south']);
});

it('addresses that were greylisted at a source which is taken out are asked from another, and the batch ends', async () => {
  const emails = Array.from({ length: 60 }, (_, i) => `grey.away.${i}@example.com`);
  const submitted = await call(service, '/api/v1/verify/batch', { key: account.liveKey, body: { emails } });
  const path = `/api/v1/verify/batch/${String(submitted.body.id)}`;
  const status = async () => (await call(service, path, { key: account.liveKey })).body;
  await expect.poll(async () => (await status()).waiting?.count).toBe(60);
  const bySouth = emails.filter((address) => askers.get(address)![0] === ADDRESSES.south);
  expect(bySouth.length).toBeGreaterThan(0);

  configure('north', 'west');
  await service.app.get<ConfiguredSources>(EGRESS_SOURCES, { strict: false }).refreshIfChanged();
  for (let round = 0; round < 2; round++) {
    const { next_try_at: due } = (await status()).waiting;
    time.later += Date.parse(due) - time.now() + 1;
    await service.app.get(BatchWorker).wake();
    await expect.poll(async () => (await status()).waiting?.next_try_at).not.toBe(due);
  }
  const ended = await bodyOnce(() => call(service, path, { key: account.liveKey }), isCompleted);
  expect(ended.counts).toMatchObject({ valid: 60, unknown: 0 });
  for (const address of bySouth) expect(askers.get(address)!.slice(1)).not.toContain(ADDRESSES.south);
});

it('what mail hosts refuse is told by source, operator and kind with the last text, in which no address and no control is left', async () => {
  configure('north');
  await service.app.get<ConfiguredSources>(EGRESS_SOURCES, { strict: false }).refreshIfChanged();
  const hostile = ['jane.hostile@kinds.example.com', 'john.hostile@kinds.example.com'];
  for (const email of hostile) expect((await verify(email)).reason).toBe('greylisted');
  expect((await verify('slow@kinds.example.com')).verdict).toBe('unknown');
  await service.app.get(RefusalReports, { strict: false }).run();
  const refusals = async () => {
    const { sources } = (await call(service, '/admin/v1/egress', { key: adminKey })).body;
    return sources[0].refusals.filter(({ operator }: { operator: string }) => operator === 'mx.kinds.example.com');
  };
  const greylisted = { operator: 'mx.kinds.example.com', kind: 'greylisted', last_reply: '450 4.2.0' };
  const before = await refusals();
  expect(before).toEqual([
    expect.objectContaining(greylisted),
    expect.objectContaining({ kind: 'rate_limited', last_reply: '450 4.7.0' }),
  ]);
  expect(before[0].last_text).toBe('<script>alert(1)</script> <…>: greylisted, [2J …');
  expect(before[0].last_text).not.toMatch(/hostile/i);
  expect(before[0].refusals).toBeGreaterThanOrEqual(2);

  // Another process adds what it has counted.
  const other = await start({ redisUrl: service.env.redisUrl });
  try {
    expect((await verify('jim.hostile@kinds.example.com', other)).reason).toBe('greylisted');
  } finally {
    await other.close();
  }
  expect((await refusals())[0].refusals).toBeGreaterThan(before[0].refusals);
  time.later += 26 * 3_600_000;
  expect(await refusals()).toEqual([]);
});

it('what refuses one process stops all of them within seconds', async () => {
  configure('north');
  await service.app.get<ConfiguredSources>(EGRESS_SOURCES, { strict: false }).refreshIfChanged();
  const other = await start({ redisUrl: service.env.redisUrl });
  try {
    for (let i = 0; i < 3; i++) expect((await verify(`blocked.${i}@refusing.example.com`)).reason).toBe('ip_blocked');
    let asked = 0;
    const next = () => `ok.${(asked += 1)}@refusing.example.com`;
    await expect.poll(async () => (await verify(next(), other)).reason).toBe('ip_blocked');
    const before = askers.size;
    expect((await verify(next(), other)).reason).toBe('ip_blocked');
    expect(askers.size).toBe(before);
  } finally {
    await other.close();
  }
});
