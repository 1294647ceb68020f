import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MonitorSweep } from '../../src/deliverability/monitors/monitor-sweep.js';
import { SourceWatch } from '../../src/sending/sources/watch/source-watch.service.js';
import { systemClock } from '../../src/verify/ports/node-ports.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call } from '../support/call.js';
import type { DnsReply } from '../support/dns-server.js';
import { startMailService } from '../support/mail-service.js';
import { mailboxes } from '../support/mail-scripts.js';
import { MovedClock } from '../support/manual-clock.js';
import { bodyOnce, isCompleted } from '../support/next-look.js';
import { startScriptedSmtpServer } from '../support/scripted-smtp-server.js';
import { liftRates, type TestService } from '../support/service.js';

const OURS = '45.33.32.10';
const KNOWN = ['large.com', 'big.com'];
const MX = [[10, 'mx.good.net']] as const;
const TRUTH: Readonly<Record<string, DnsReply>> = {
  'mx.good.net': { A: ['127.0.0.1'] },
  'probe.good.net': { A: [OURS], TXT: [`v=spf1 ip4:${OURS} -all`] },
  '10.32.33.45.in-addr.arpa': { PTR: ['probe.good.net'] },
  '2.0.0.127.psbl.surriel.com': { A: ['127.0.0.2'], TXT: ['a test point'] },
};

function truth(name: string): DnsReply | undefined {
  const isGood = KNOWN.includes(name) || /^good\d+\.com$/.test(name);
  if (isGood) return { MX, TXT: ['v=spf1 mx -all'] };
  if (/^_dmarc\.good\d+\.com$/.test(name)) return { TXT: ['v=DMARC1; p=reject; rua=mailto:dmarc@good1.com'] };
  return TRUTH[name];
}

let asked = 0;
/** What an uplink that comes and goes, a portal or a broken resolver says instead. */
const LIES = {
  'denies all': () => 'nxdomain',
  'denies some': (name) => (name === 'big.com' || /[02468]\.com$/.test(name) ? 'nxdomain' : truth(name)),
  'has one address for all': () => ({ A: ['127.0.0.1'] }),
  'fails every third question': (name) => ((asked += 1) % 3 === 0 ? 'servfail' : truth(name)),
  'is slow': (name) => {
    const reply = truth(name);
    return typeof reply === 'object' ? { ...reply, delayMs: 30 } : reply;
  },
} satisfies Record<string, (name: string) => DnsReply | undefined>;

const time = new MovedClock();
const system = { ...systemClock };
const network: { says: typeof truth } = { says: truth };
let service: TestService;
let account: FullAccount;
let domains = 0;

beforeAll(async () => {
  // The engine goes by the machine's time.
  Object.assign(systemClock, { now: () => time.now(), after: time.after.bind(time) });
  service = await startMailService({
    host: startScriptedSmtpServer({ onLine: mailboxes('jane', 'jane.doe') }),
    dns: { answer: (name) => network.says(name) },
    env: {
      dnsKnownDomains: KNOWN,
      batchRetryWindowSeconds: 0,
      heloName: 'probe.good.net',
      mailFrom: 'jane@probe.good.net',
    },
    clock: time,
  });
  liftRates(service);
});

afterAll(async () => {
  Object.assign(systemClock, system);
  await service.close();
});

beforeEach(async () => {
  network.says = truth;
  time.advance(3_600_000);
  account = await createFullAccount({ url: service.env.databaseUrl }, { plan: 'pro' });
});

const ask = (path: string, body?: unknown) =>
  call(service, `/api/v1${path}`, { key: account.liveKey, ...(body !== undefined && { body }) });
const fresh = () => `good${(domains += 1)}.com`;
const freshAddress = () => `45.33.${Math.floor((domains += 1) / 250)}.${1 + (domains % 250)}`;
const remaining = async () => (await ask('/credits')).body.remaining;

async function verified(email: string) {
  const { body } = await ask('/verify', { email });
  return body as { verdict: string; reason: string; credits_charged: number };
}

async function batchOf(emails: readonly string[]) {
  const { body } = await ask('/verify/batch', { emails });
  return bodyOnce(() => ask(`/verify/batch/${body.id}`), isCompleted);
}

/** No word against addresses that receive, and no credit for what was not learned. */
async function expectNothingFalse(): Promise<void> {
  const before = await remaining();
  const singles = await Promise.all(Array.from({ length: 6 }, () => verified(`jane@${fresh()}`)));
  for (const { verdict, credits_charged } of singles) {
    expect(['valid', 'unknown']).toContain(verdict);
    expect(credits_charged).toBe(verdict === 'unknown' ? 0 : 1);
  }
  const batch = await batchOf(Array.from({ length: 60 }, () => `jane@${fresh()}`));
  expect(batch.counts).toMatchObject({ invalid: 0, risky: 0 });
  expect(batch.credits_charged).toBe(batch.counts.valid);
  const found = (await ask('/finder/email', { full_name: 'Jane Doe', domain: fresh() })).body;
  expect(['valid', 'unknown']).toContain(found.verdict);
  const domain = (await ask('/domains/check', { domain: fresh(), checks: ['mx', 'spf', 'dmarc'] })).body;
  const codes = domain.findings.map(({ code }: { code: string }) => code);
  for (const absence of ['mx_missing', 'spf_missing', 'dmarc_missing', 'domain_not_found'])
    expect(codes).not.toContain(absence);
  const list = (await ask('/blacklists/check', { targets: [freshAddress()], lists: ['psbl'] })).body;
  expect(list.results[0].status).not.toBe('listed');
  expect(list.credits_charged).toBe(list.results[0].status === 'clean' ? 1 : 0);
  const credits = [...singles, batch, found, domain, list].map(({ credits_charged }) => credits_charged as unknown);
  expect(credits).toEqual(credits.map(() => expect.any(Number)));
  const charged = (credits as number[]).reduce((sum, one) => sum + one, 0);
  expect(await remaining()).toBe(before - charged);
}

async function expectEverythingRight(): Promise<void> {
  expect(await verified(`jane@${fresh()}`)).toMatchObject({ verdict: 'valid', reason: 'mailbox_exists' });
  expect(await verified(`jane@gone${(domains += 1)}.com`)).toMatchObject({ reason: 'domain_not_found' });
  expect((await batchOf(Array.from({ length: 20 }, () => `jane@${fresh()}`))).counts).toMatchObject({ valid: 20 });
  const domain = (await ask('/domains/check', { domain: fresh(), checks: ['mx', 'spf', 'dmarc'] })).body;
  expect(domain.unanswered).toEqual([]);
  const list = (await ask('/blacklists/check', { targets: [freshAddress()], lists: ['psbl'] })).body;
  expect(list.results[0].status).toBe('clean');
}

describe.each(Object.entries(LIES))('while the resolver %s, comes back, and does it again', (_, lie) => {
  it('no verdict and no check is false, what was not learned is free, and all is right a minute after', async () => {
    expect(await verified(`jane@${fresh()}`)).toMatchObject({ verdict: 'valid', reason: 'mailbox_exists' });
    for (let turn = 0; turn < 2; turn++) {
      network.says = lie;
      time.advance(5_000);
      await expectNothingFalse();
      network.says = truth;
      // One answer that is true is no recovery.
      await verified(`jane@${fresh()}`);
    }
    time.advance(60_000);
    await expectEverythingRight();
  });

  it('no monitor and no look at our own addresses tells a fault', async () => {
    const monitors = [
      { kind: 'domain', target: fresh() },
      { kind: 'address', target: '45.33.32.12' },
    ];
    for (const monitor of monitors) expect((await ask('/monitors', monitor)).status).toBe(201);
    const look = async () => {
      await service.app.get(MonitorSweep).runDue();
      await service.app.get(SourceWatch).lookAtAll();
      const [source] = (await service.app.get(SourceWatch).known()).values();
      return source!.checks.filter(({ state }) => state === 'fail').map(({ check }) => check);
    };
    expect(await look()).toEqual([]);
    for (let turn = 0; turn < 3; turn++) {
      network.says = lie;
      time.advance(86_400_000);
      expect(await look()).toEqual([]);
    }
    const events = await onDatabase(
      service.env.databaseUrl,
      `SELECT type FROM webhook_events WHERE type ~ '^(monitor|blacklist|finding)'`,
    );
    expect(events).toEqual([]);
  });
});
