/**
 * Sends `--intake` requests, from `--seed` (default: the time), to a service in a process of its own with PostgreSQL and Redis: whole and
 * broken bodies of every form to every route that takes one. And a mail with a report for every fourth of them (or `--mails`), to its
 * receiver. Sets the exit code when the service died, logged a fault, answered 5xx or with an error that is not as documented, told a sender
 * to come again, or left anybody waiting.
 */
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { startService } from '../batch/processes.js';
import { endInGoodOrder, freePort, newKey, startServers } from '../batch/world.js';
import { fuzzMails, MAILS_PER_ADDRESS } from './intake/mails.js';
import { bodyRoutes, fuzzIntake } from './intake/run.js';

const ACCOUNTS = 10;
const REQUESTS_PER_MAIL = 4;

const type = 'string';
const { values } = parseArgs({ options: { intake: { type }, mails: { type }, seed: { type } } });
const requests = Number(values.intake);
const seed = Number(values.seed ?? Date.now() % 2 ** 32);
console.log(`intake: seed ${seed}, ${requests} requests`);

const servers = await startServers();
const port = await freePort();
const inboundPort = await freePort();
const service = await startService(
  {
    ...servers.environment,
    PORT: String(port),
    INBOUND_PORT: String(inboundPort),
    INBOUND_PROXY_PROTOCOL: '127.0.0.1',
    SECRETS_KEY: '11'.repeat(32),
    REGISTRATIONS_PER_HOUR: '100000',
    REGISTRATIONS_PER_DAY: '100000',
    REGISTRATIONS_PER_HOUR_GLOBAL: '100000',
    // Nobody answers there: live keys ask nobody about anything.
    DNS_SERVERS: '127.0.0.1:9',
  },
  null,
);
const logged: string[] = [];
service.stdout!.on('data', (piece: Buffer) => {
  for (const line of piece.toString().split('\n')) if (/"level":"(error|fatal)"/.test(line)) logged.push(line);
});

const startedAt = performance.now();
const keys = await newKeys();
const mails = Number(values.mails ?? Math.ceil(requests / REQUESTS_PER_MAIL));
const addresses = await newAddresses(Math.ceil(mails / MAILS_PER_ADDRESS));
const faults = [
  ...(await fuzzIntake({ port, routes: await bodyRoutes(port), keys, requests, seed })),
  ...(await fuzzMails({ port: inboundPort, addresses, mails, seed })),
];
const { rows: kept } = await servers.database.query<{ kept: number }>(
  'SELECT ((SELECT count(*) FROM tls_reports) + (SELECT count(*) FROM dmarc_reports))::integer AS kept',
);
console.log(`intake: ${mails} mails, ${kept[0]!.kept} reports kept`);
const isAlive = (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.status === 200;
for (const { number, line, fault, sent } of faults)
  console.error(`request ${number}, ${line}: ${fault}\n  ${JSON.stringify(sent.slice(0, 600))}`);
const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
console.log(
  `intake: ${faults.length} faults, ${logged.length} logged, ${isAlive ? 'alive' : 'DEAD'} after ${seconds} s, seed ${seed}`,
);
if (faults.length > 0 || logged.length > 0 || !isAlive) process.exitCode = 1;
if (isAlive) await endInGoodOrder(service);
await servers.stop();

/** Test and live keys of some accounts, so that no rate hides what is behind it, and an agent's. */
async function newKeys(): Promise<string[]> {
  const keys: string[] = [];
  for (let i = 0; i < ACCOUNTS; i++) {
    const live = await newKey(servers.database, 1_000_000);
    const made = await post('/api/v1/keys', live, { name: 'fuzz', kind: 'test' });
    keys.push(live, String(made['api_key']), String(made['api_key']));
  }
  return [...keys, String((await post('/agent-gateway/register', null, {}))['api_key'])];
}

/** Monitors of a domain that its owner has proven, and the addresses of their reports. */
async function newAddresses(count: number): Promise<string[]> {
  const tokens = Array.from({ length: count }, () =>
    [...randomBytes(16)].map((byte) => 'abcdefghijklmnopqrstuvwxyz234567'[byte % 32]).join(''),
  );
  await servers.database.query(
    `WITH account AS (
       INSERT INTO accounts (kind, policy, created_at) SELECT 'full', 'scale', now() FROM unnest($1::text[]) RETURNING id),
     one AS (
       SELECT 2199023255552 + n AS id, token, account
         FROM unnest($1::text[]) WITH ORDINALITY AS given (token, n)
         JOIN (SELECT id AS account, row_number() OVER () AS n FROM account) AS numbered USING (n)),
     monitor AS (
       INSERT INTO monitors (id, account_id, simulated, kind, target, settings, interval_minutes, state, created_at, next_run_at)
       SELECT id, account, false, 'domain', 'example.com', '{}', 1440, 'pending', now(), now() + interval '1 year' FROM one RETURNING id)
     INSERT INTO report_addresses (monitor_id, challenge, token, created_at, verified_at)
     SELECT monitor.id, 'c', token, now(), now() FROM monitor JOIN one ON one.id = monitor.id`,
    [tokens],
  );
  return tokens.map((token) => `d-${token}@inbound.localhost`);
}

async function post(path: string, key: string | null, body: object): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json', ...(key !== null && { authorization: `Bearer ${key}` }) };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (response.status !== 201) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}
