import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { WEBHOOK_RETRIES, type WebhookRetries } from '../../src/platform/config/policies.js';
import { MetricsServer } from '../../src/platform/health/metrics-server.js';
import { SourceWatchLoop } from '../../src/sending/sources/watch/source-watch-loop.js';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { queueBatch } from '../support/batches.js';
import { call } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type DnsServer, KNOWN_DOMAIN, startDnsServer } from '../support/dns-server.js';
import { freePort, startProcess } from '../support/process.js';
import { liftRates, startService, type TestService } from '../support/service.js';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.js';
import { confirmed, startWebhookSink, TO_LOOPBACK } from '../support/webhook-sink.js';
import { type Prometheus, startPrometheus } from './prometheus.js';

const BLOCKED = '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org';
const PSBL = 'psbl.surriel.com';
const LISTED = { A: ['127.0.0.2'], TXT: ['Seen sending spam'] };
/** No machine of a test has it, so nothing can be sent from it. */
const GONE = '45.33.32.10';

let directory: string;
let database: TestDatabase;
let account: FullAccount;
let dns: DnsServer;
let smtp: TestSmtpServer;
/** Asks mail hosts for callers; nobody works on batches at first. */
let service: TestService;
/** Takes over what a killed worker has left. */
let heir: TestService | null = null;
let heirsPort: number;
let prometheus: Prometheus;
/** Mail hosts that hold their answers back give them then. */
let letGo: (reply: string) => void;
const held = new Promise<string>((resolve) => (letGo = resolve));

const sources = [
  { name: 'plain', helo: 'probe1.nowhere.test', mail_from: '' },
  { name: 'gone', address: GONE, helo: 'probe2.nowhere.test', mail_from: '' },
];
const answerOf = (address: string) =>
  address.includes('@blocked') ? BLOCKED : address.endsWith('@held.test') ? held : '550 5.1.1 User unknown';

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'mail-alerts-'));
  writeFileSync(join(directory, 'egress.json'), JSON.stringify({ sources }));
  smtp = await startSmtpServer({ recipients: answerOf });
  dns = await startDnsServer({
    zones: {
      '*.broken.test': 'servfail',
      '*.nowhere.test': 'nxdomain',
      [`2.0.0.127.${PSBL}`]: LISTED,
      [`*.${PSBL}`]: 'nxdomain',
      [`${GONE.split('.').toReversed().join('.')}.${PSBL}`]: LISTED,
    },
    answer: (name, type) => {
      if (type === 'MX') return { MX: [[10, `mx.${name}`]] };
      const wall = /^mx\.wall(\d+)\.test$/.exec(name)?.[1];
      return name.startsWith('mx.') ? { A: [wall ? `127.0.${wall}.1` : '127.0.0.1'] } : undefined;
    },
  });
  database = await createTestDatabase();
  account = await createFullAccount(database, { credits: 100_000 });
  service = await startService({ database, env: { ...common(), role: 'api', metricsPort: 0 }, timer: SYSTEM_TIMER });
  liftRates(service);
  heirsPort = await freePort();
  const { port } = service.app.get(MetricsServer, { strict: false });
  prometheus = await startPrometheus([`127.0.0.1:${port}`, `127.0.0.1:${heirsPort}`]);
});

afterAll(async () => {
  letGo('550 5.1.1 User unknown');
  await prometheus?.stop();
  await heir?.close();
  await service.close();
  await smtp.close();
  await dns.close();
  await database.drop();
  rmSync(directory, { recursive: true });
});

const common = () => ({
  ...TO_LOOPBACK,
  dnsServers: [dns.address],
  smtpPort: smtp.port,
  mxAllowedNetworks: ['127.0.0.0/8'],
  egressFile: join(directory, 'egress.json'),
});
const query = (sql: string, values: unknown[] = []) => service.app.get(DataSource).query(sql, values);
const verify = (email: string, at = service) => call(at, '/api/v1/verify', { key: account.liveKey, body: { email } });
let last = 0;
const some = async (count: number, emailOf: (number: number) => string) => {
  const replies = await Promise.all(Array.from({ length: count }, () => verify(emailOf(++last))));
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
};

describe('an alert fires by its cause:', () => {
  // Within seconds: then a look at the block lists takes it out, and nobody tries it any more.
  it('a source whose address this machine does not have', async () => {
    const ask = () => some(5, (number) => `p@kind${number}.test`);
    expect(await prometheus.fires('MailsondeSourceRests', ask)).toMatch(/cannot use its source gone: its address or/);
  });

  it('an alert fires by its cause: mail domains whose name servers fail, after a day on which they answered', async () => {
    await some(1, () => 'none');
    await expect.poll(() => prometheus.count('mailsonde_verifications_total{reason="invalid_syntax"}')).toBe(1);
    for (let round = 0; round < 60; round++) await some(25, () => 'none');
    const unknown = () => some(12, (number) => `p@d${number}.broken.test`);
    expect(await prometheus.fires('MailsondeUnknownShare', unknown)).toMatch(
      /% of the answers \(single\) are unknown, twice/,
    );
  });

  it('an alert fires by its cause: mail hosts that refuse us now and then, not often enough to be left alone', async () => {
    const ask = () => some(12, (number) => `p@${number % 6 === 0 ? 'blocked' : 'kind'}${number}.test`);
    expect(await prometheus.fires('MailsondeOperatorRefuses', ask)).toMatch(
      /^The mail operator other refuses us at plain in \d+\.\d+% of the sessions\.$/,
    );
  });

  it('a network that lets nothing through to mail hosts', async () => {
    const walled = await startService({
      database,
      env: {
        ...common(),
        egressFile: null,
        role: 'api',
        smtpPort: await wallOff(),
        metricsPort: 0,
        dnsKnownDomains: ['wall2.test', 'wall3.test'],
      },
      timer: SYSTEM_TIMER,
    });
    onTestFinished(() => walled.close());
    const { port } = walled.app.get(MetricsServer, { strict: false });
    const seen = await startPrometheus([`127.0.0.1:${port}`]);
    onTestFinished(() => seen.stop());
    await verify('p@wall4.test', walled);
    expect(await seen.fires('MailsondePort25Closed')).toMatch(/ to mail hosts do not leave by default\.$/);
  });

  it('a worker that is killed, whose chunks another begins again', async () => {
    const doomed = await startProcess({
      ROLE: 'worker',
      LOG_LEVEL: 'info',
      DATABASE_URL: database.url,
      REDIS_URL: service.env.redisUrl,
      DNS_SERVERS: dns.address,
      DNS_KNOWN_DOMAINS: KNOWN_DOMAIN,
      SMTP_PORT: String(smtp.port),
      MX_ALLOWED_NETWORKS: '127.0.0.0/8',
    });
    onTestFinished(() => doomed.kill('SIGKILL'));
    const emails = Array.from({ length: 40 }, (_, number) => `p${number}@held.test`);
    await queueBatch(database.url, { accountId: account.accountId, emails, chunkSize: 1 });
    const begun = async () => {
      const [row] = await query('SELECT count(*)::integer AS n FROM batch_chunks WHERE NOT done AND attempts = 1');
      return row.n;
    };
    await expect.poll(begun, { interval: 100 }).toBeGreaterThan(24);
    heir = await startService({ database, env: { ...common(), metricsPort: heirsPort }, timer: SYSTEM_TIMER });
    // An increase is seen only of what was scraped before it.
    const scraped = `mailsonde_chunk_takeovers_total{instance="127.0.0.1:${heirsPort}"}`;
    await expect.poll(() => prometheus.count(scraped)).toBe(1);
    doomed.kill('SIGKILL');
    await doomed.ended;
    expect(await prometheus.fires('MailsondeChunkTakeovers')).toMatch(/^\d+.* chunks were begun again within 15 min/);
  });

  it('a source on a block list, and one whose name leads nowhere', async () => {
    await heir!.app.get(SourceWatchLoop, { strict: false }).run();
    expect(await prometheus.fires('MailsondeSourceListed')).toBe('The block list psbl has our source gone.');
    expect(await prometheus.fires('MailsondeSourceIdentity')).toMatch(/^Mail hosts see a fault of our source \w+: its/);
  });

  it('a customer’s receiver that fails until no attempt is left', async () => {
    const sink = await startWebhookSink();
    onTestFinished(() => sink.close());
    // The schedule of three days has one attempt here.
    Object.assign(heir!.app.get<WebhookRetries>(WEBHOOK_RETRIES, { strict: false }), { delaysSeconds: [] });
    const body = { url: sink.url(), events: ['batch.completed'] };
    const { id } = (await call(service, '/api/v1/webhooks', { key: account.liveKey, body })).body;
    await confirmed(database.url, id, sink);
    sink.answer = (_, response) => response.writeHead(500).end();
    const deliver = () =>
      call(service, `/api/v1/webhooks/${id}/test`, { key: account.liveKey, method: 'POST', body: {} });
    expect(await prometheus.fires('MailsondeWebhooksFail', deliver)).toMatch(/% of the attempts to deliver webhooks/);
  });
});

/**
 * A port at which connections get no answer at all, as behind a firewall: its process is suspended, and the system's queue of connections that
 * nobody has accepted is full.
 * @returns the port, at every address of loopback
 */
async function wallOff(): Promise<number> {
  const script = `const s = require('net').createServer().listen({ port: 0, host: '0.0.0.0', backlog: 1 }, () => {
    require('fs').writeSync(1, s.address().port + '\\n'); process.kill(process.pid, 'SIGSTOP'); });`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(said.toString());
  const fillers = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  onTestFinished(() => fillers.forEach((filler) => filler.destroy()));
  await Promise.all(fillers.slice(0, 2).map((filler) => once(filler, 'connect')));
  return port;
}
