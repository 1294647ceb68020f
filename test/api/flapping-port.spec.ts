import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '../../src/engine/verification/engine.js';
import { ENGINE } from '../../src/verify/engine.provider.js';
import { systemClock } from '../../src/verify/ports/node-ports.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call } from '../support/call.js';
import { type DnsReply, type DnsServer, startDnsServer } from '../support/dns-server.js';
import { mailboxes, recipientOf } from '../support/mail-scripts.js';
import { MovedClock } from '../support/manual-clock.js';
import { bodyOnce, isCompleted } from '../support/next-look.js';
import { type ScriptedSmtpServer, startScriptedSmtpServer } from '../support/scripted-smtp-server.js';
import { liftRates, startService, type TestService } from '../support/service.js';
import { type Socks5Server, startSocks5Server } from '../support/socks5-server.js';

const MINUTE = 60_000;
/** Hosts of our own choosing, in two networks. */
const KNOWN: Readonly<Record<string, string>> = { 'large.com': '127.1.0.1', 'big.com': '127.2.0.1' };
/** What a proxy says of a port 25 that does not leave its network (RFC 1928 section 6). */
const CLOSED = { 'leaves the network no more': 3, 'reaches no host': 4, 'swallows all packets': 6, 'is refused': 5 };

/** Every good domain has a host of its own. */
function truth(name: string): DnsReply | undefined {
  const host = name.replace(/^mx\./, '');
  if (KNOWN[host] === undefined && !/^good\d+\.com$/.test(host)) return undefined;
  return host === name ? { MX: [[10, `mx.${name}`]] } : { A: [KNOWN[host] ?? '127.0.0.1'] };
}

interface Verified {
  readonly email: string;
  readonly verdict: string;
  readonly reason: string;
  readonly credits_charged: number;
}

const directory = mkdtempSync(join(tmpdir(), 'flapping-port-'));
const egressFile = join(directory, 'egress.json');
const system = { ...systemClock };
const time = new MovedClock();
const honest = mailboxes('jane.doe');
/** `reply` is what a new connection comes to while the port is closed; after `closesAfter` answers it closes with `closesWith`. */
const port: { reply?: number; closesAfter: number; closesWith: number } = { closesAfter: Infinity, closesWith: 0 };
let dns: DnsServer;
let hosts: ScriptedSmtpServer[];
let proxy: Socks5Server;
let service: TestService;
let account: FullAccount;
let domains = 0;

beforeAll(async () => {
  dns = await startDnsServer({ answer: truth });
  const smtp = await startScriptedSmtpServer({
    onLine: (line, connection) => {
      if (recipientOf(line) !== null && (port.closesAfter -= 1) < 0) {
        close(port.closesWith);
        return null;
      }
      return honest(line, connection);
    },
  });
  const ours = Object.values(KNOWN).map((host) => startScriptedSmtpServer({ host, port: smtp.port }));
  hosts = [smtp, ...(await Promise.all(ours))];
  proxy = await startSocks5Server(port);
  const socks5 = { host: '127.0.0.1', port: proxy.port };
  const source = { name: 'far', socks5, helo: 'probe.good1.com', mail_from: 'probe@good1.com' };
  writeFileSync(egressFile, JSON.stringify({ sources: [source] }));
  // The engine goes by the machine's time.
  Object.assign(systemClock, { now: () => time.now(), after: time.after.bind(time) });
  service = await startService({
    env: {
      dnsServers: [dns.address],
      dnsKnownDomains: Object.keys(KNOWN),
      smtpPort: smtp.port,
      mxAllowedNetworks: ['127.0.0.0/8'],
      batchRetryWindowSeconds: 0,
      egressFile,
    },
    clock: time,
  });
  liftRates(service);
});

afterAll(async () => {
  Object.assign(systemClock, system);
  await service.close();
  await Promise.all([dns, proxy, ...hosts].map((one) => one.close()));
  rmSync(directory, { recursive: true });
});

beforeEach(async () => {
  open();
  account = await createFullAccount({ url: service.env.databaseUrl }, { plan: 'pro' });
});

function open(): void {
  delete port.reply;
  port.closesAfter = Infinity;
}

/** What is open is cut, as a firewall does that forgets its connections. */
function close(reply: number): void {
  Object.assign(port, { reply, closesAfter: Infinity });
  for (const { connections } of hosts) for (const connection of connections) if (!connection.closed) connection.reset();
}

const ask = (path: string, body?: unknown) =>
  call(service, `/api/v1${path}`, { key: account.liveKey, ...(body !== undefined && { body }) });
const fresh = (count: number) => Array.from({ length: count }, () => `good${(domains += 1)}.com`);
const remaining = async () => (await ask('/credits')).body.remaining as number;
const verified = async (email: string) => (await ask('/verify', { email })).body as Verified;
const found = async (domain: string) =>
  (await ask('/finder/email', { full_name: 'Jane Doe', domain })).body as Verified;
const port25 = () => service.app.get<Engine>(ENGINE).port25().state;
const bothOf = (domain: string) => [`jane.doe@${domain}`, `nobody@${domain}`];

async function batchOf(emails: readonly string[]) {
  const { body } = await ask('/verify/batch', { emails });
  const path = `/verify/batch/${body.id}`;
  await bodyOnce(() => ask(path), isCompleted);
  return (await ask(`${path}/results?limit=1000`)).body.results as Verified[];
}

/** @returns everything that is known of these domains now, at the price of it and not a credit more */
async function everythingOf(names: readonly string[]) {
  const before = await remaining();
  const [inSingles, inBatch] = [names.slice(0, 4), names.slice(4)];
  const singles = await Promise.all(inSingles.flatMap(bothOf).map(verified));
  const batch = await batchOf(inBatch.flatMap(bothOf));
  expect(batch).toHaveLength(2 * inBatch.length);
  const finding = await found(inSingles[0]!);
  const all = [...singles, ...batch];
  for (const { email, verdict, credits_charged } of all) {
    expect([email.startsWith('jane') ? 'valid' : 'invalid', 'unknown']).toContain(verdict);
    expect(credits_charged).toBe(verdict === 'unknown' ? 0 : 1);
  }
  expect(['valid', 'unknown']).toContain(finding.verdict);
  const charged = [...all, finding].reduce((sum, { credits_charged }) => sum + credits_charged, 0);
  expect(await remaining()).toBe(before - charged);
  return { singles, batch, finding, all: [...all, finding] };
}

const verdicts = (all: readonly Verified[]) => new Set(all.map(({ verdict }) => verdict));

async function expectNothingKnown(names: readonly string[]): Promise<void> {
  expect(verdicts((await everythingOf(names)).all)).toEqual(new Set(['unknown']));
}

async function expectEverythingRight(names: readonly string[]): Promise<void> {
  const { all, finding } = await everythingOf(names);
  expect(verdicts(all)).toEqual(new Set(['valid', 'invalid']));
  expect(finding).toMatchObject({ verdict: 'valid', email: expect.stringMatching(/^jane/) });
}

describe.each(Object.entries(CLOSED))('while port 25 %s, is open, and closes again', (_, reply) => {
  it('no verdict is false, what was not learned is free, and all is right a minute after it opened', async () => {
    const names = fresh(10);
    await expectEverythingRight(names);
    for (const isLong of [false, true, false]) {
      close(reply);
      await expectNothingKnown(names);
      if (isLong) {
        // No answer is younger than a minute: silence is told by its cause.
        time.advance(MINUTE);
        await expectNothingKnown(names);
        const { reason } = await verified(`jane.doe@${fresh(1)[0]}`);
        expect(reason).toBe('port25_blocked');
      }
      open();
      time.advance(MINUTE);
      await expect.poll(port25).toBe('open');
      await expectEverythingRight(names);
    }
  });

  it('what was answered before it closed in the middle stands and is charged, and the rest is free and asked again', async () => {
    const names = fresh(24);
    Object.assign(port, { closesAfter: 30, closesWith: reply });
    const { singles, batch } = await everythingOf(names);
    expect(verdicts(singles)).toEqual(new Set(['valid', 'invalid']));
    expect(verdicts(batch)).toContain('unknown');
    expect(port.reply).toBe(reply);
    time.advance(MINUTE);
    await expectNothingKnown(names);
    open();
    time.advance(MINUTE);
    await expect.poll(port25).toBe('open');
    await expectEverythingRight(names);
  });
});
