import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';

import { startDnsServer } from '../../test/support/dns-server.js';
import { startService, startSink } from '../batch/processes.js';
import { endInGoodOrder, freePort, newKey, startServers, testKeyBeside } from '../batch/world.js';
import { ATTACKS, type Hostile } from './attacks.js';
import { Bystander, type Measured } from './bystander.js';
import type { Order } from './hostile.js';

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    seconds: { type: 'string', default: '8' },
    quiet: { type: 'string', default: '10' },
    only: { type: 'string' },
  },
});
if (values.help) {
  console.log(`npm run test:neighbours -- [--seconds 8] [--quiet 10] [--only TEXT]

One hostile account, and two that work beside it in the same process: one on another plan, and one on the same. What they call is measured
while nobody attacks for --quiet seconds, then under each attack (or those whose name has the text) for --seconds, and under all at once.
Fails when a bystander is refused anything, or when its p99 is above one second and above three times the quiet one.`);
  process.exit();
}

const CREDITS = 10_000_000;
const FAST_ENOUGH_MS = 1_000;
const FACTOR = 3;

const servers = await startServers();
const names = await startDnsServer({
  zones: { '*.silent.test': 'silent' },
  answer: () => ({ MX: [[10, 'mx.example.com']], A: ['127.0.0.1'] }),
});
const hosts = await startSink('../smtp/sink.js', ['5']);
const sink = await startSink('../webhooks/sink.js');
const [port, receiverPort, ...webhookPorts] = await Promise.all(Array.from({ length: 4 }, freePort));
const service = await startService(
  {
    ...servers.environment,
    PORT: String(port),
    INBOUND_PORT: String(receiverPort),
    DNS_SERVERS: names.address,
    DNS_KNOWN_DOMAINS: 'domain.known.test',
    SMTP_PORT: String(hosts.port),
    MX_ALLOWED_NETWORKS: '127.0.0.0/8',
    WEBHOOK_ALLOW_INSECURE: 'true',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    WEBHOOK_PORTS: [sink.port, ...webhookPorts].join(','),
  },
  null,
);
const attacker = fork(new URL('./hostile.js', import.meta.url));
const key = (plan: string) => newKey(servers.database, CREDITS, plan);
const liveKey = await key('pro');
const hostile: Hostile = {
  port: port!,
  receiverPort: receiverPort!,
  sinkPort: sink.port,
  liveKey,
  testKey: await testKeyBeside(servers.database, liveKey),
  otherKeys: [],
};
for (let i = 0; i < 7; i++) hostile.otherKeys.push(await key('pro'));
const bystanders: Bystander[] = [];
for (const [i, plan] of ['scale', 'pro'].entries()) {
  const ports = { api: port!, receiver: receiverPort!, webhooks: webhookPorts[i]! };
  bystanders.push(await Bystander.begin(plan, ports, await key(plan), `127.${200 + i}.0.1`));
}

/** By bystander and kind of call. */
const quiet = new Map<string, number>();
let isWell = true;
console.log('p50, p99 and the longest in ms, and what was refused, of calls beside a hostile account');
await work(2); // The first one compiles and connects.
report('nobody attacks', await work(Number(values.quiet)), true);
const attacks = Object.keys(ATTACKS).filter((name) => name.includes(values.only ?? ''));
for (const name of attacks) await under(name, [name]);
if (attacks.length > 1) await under('all at once', attacks);
console.log(
  isWell
    ? 'No bystander waited or was refused.'
    : `NOT AS IT SHOULD BE: above ${FAST_ENOUGH_MS} ms and ${FACTOR} × the quiet p99, or refused.`,
);

for (const one of bystanders) one.close();
attacker.kill();
await endInGoodOrder(service);
await names.close();
await servers.stop();
process.exit(isWell ? 0 : 1);

async function under(title: string, attack: readonly string[]): Promise<void> {
  attacker.send({ attack, hostile } satisfies Order);
  const measured = await work(Number(values.seconds));
  attacker.send('stop' satisfies Order);
  await once(attacker, 'message');
  report(title, measured, false);
}

async function work(seconds: number) {
  return Promise.all(bystanders.map(async (one) => [one.name, await one.work(seconds)] as const));
}

function report(title: string, all: Awaited<ReturnType<typeof work>>, isQuiet: boolean): void {
  console.log(`\n${title}`);
  for (const [name, kinds] of all)
    for (const [kind, { times, refused }] of kinds) {
      const sorted = times.toSorted((a, b) => a - b);
      const p99 = at(sorted, 0.99);
      const id = `${name} ${kind}`;
      if (isQuiet) quiet.set(id, p99);
      const isSlow = p99 > Math.max(FAST_ENOUGH_MS, FACTOR * quiet.get(id)!);
      isWell &&= !isSlow && refused.size === 0;
      const figures = [at(sorted, 0.5), p99, sorted.at(-1)!].map((ms) => ms.toFixed(0).padStart(7)).join('');
      console.log(
        `  ${id.padEnd(20)} ${String(times.length).padStart(4)} ${figures}${isSlow ? '  SLOW' : ''}${toldOf(refused)}`,
      );
    }
}

function toldOf(refused: Measured['refused']): string {
  return [...refused].map(([what, times]) => `  ${times} × REFUSED ${what}`).join('');
}

function at(sorted: readonly number[], quantile: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * quantile))]!;
}
