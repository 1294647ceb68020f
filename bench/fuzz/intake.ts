/**
 * Sends `--intake` requests, from `--seed` (default: the time), to a service in a process of its own with PostgreSQL and Redis: whole and
 * broken bodies of every form to every route that takes one. Sets the exit code when the service died, logged a fault, answered 5xx or with
 * an error that is not as documented, or left a caller waiting.
 */
import { parseArgs } from 'node:util';
import { startService } from '../batch/processes.js';
import { endInGoodOrder, freePort, newKey, startServers } from '../batch/world.js';
import { bodyRoutes, fuzzIntake } from './intake/run.js';

const ACCOUNTS = 10;

const { values } = parseArgs({ options: { intake: { type: 'string' }, seed: { type: 'string' } } });
const requests = Number(values.intake);
const seed = Number(values.seed ?? Date.now() % 2 ** 32);
console.log(`intake: seed ${seed}, ${requests} requests`);

const servers = await startServers();
const port = await freePort();
const service = await startService(
  {
    ...servers.environment,
    PORT: String(port),
    INBOUND_PORT: String(await freePort()),
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
const faults = await fuzzIntake({ port, routes: await bodyRoutes(port), keys: await newKeys(), requests, seed });
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
