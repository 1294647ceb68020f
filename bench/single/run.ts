import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';

import { cpuMicros, startService, startSink } from '../batch/processes.js';
import { endInGoodOrder, freePort, newKey, startServers, testKeyBeside } from '../batch/world.js';
import type { Order, Outcome } from './callers.js';

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    callers: { type: 'string', default: '1,16,64' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    warm: { type: 'string', default: '8' },
    routes: { type: 'string', default: 'bare,parts,test,live' },
    profile: { type: 'string' },
  },
});
if (values.help) {
  console.log(
    'npm run bench:single -- [--callers 1,16,64] [--seconds 3] [--rounds 3] [--warm 8] [--routes bare,parts,test,live] [--profile FOLDER]\n\n' +
      'One verification a request, beside bare Nest and Fastify with the same DTO, and beside these with the bare parts of a verification: medians of rounds, in each of which every route is measured, after so many seconds of warming up.',
  );
  process.exit();
}

/** Accounts enough that no caller meets the rate of one. */
const ACCOUNTS = 32;
const DOMAINS = 200;
const CREDITS = 10_000_000;
const seconds = Number(values.seconds);

const servers = await startServers();
const live: string[] = [];
while (live.length < ACCOUNTS) live.push(await newKey(servers.database, CREDITS));
const tokens: Readonly<Record<string, readonly string[]>> = {
  bare: live,
  parts: live,
  live,
  test: await Promise.all(live.map((key) => testKeyBeside(servers.database, key))),
};
const dns = await startSink('./dns-sink.js');
const smtp = await startSink('../smtp/sink.js');
const port = await freePort();
const service = await startService(
  {
    ...servers.environment,
    ROLE: 'api',
    PORT: String(port),
    DNS_SERVERS: `127.0.0.1:${dns.port}`,
    SMTP_PORT: String(smtp.port),
    MX_ALLOWED_NETWORKS: '127.0.0.0/8',
    DNS_KNOWN_DOMAINS: 'd0.example.com',
  },
  values.profile ?? null,
);
const callers = fork(new URL('./callers.js', import.meta.url));
// Until what is measured is compiled.
const { lastBody } = await ask({ port, tokens: live, callers: 64, seconds: Number(values.warm) });
const bare = await startSink('../single/bare.js', [lastBody]);
const parts = await startSink('../single/parts.js', [lastBody, String(smtp.port), servers.environment.DATABASE_URL]);
const targets: Readonly<Record<string, { readonly port: number; readonly child: ChildProcess }>> = {
  bare,
  parts,
  test: { port, child: service },
  live: { port, child: service },
};

interface Measured extends Outcome {
  readonly route: string;
  readonly callers: number;
  readonly perSecond: number;
  readonly cpu: number;
  readonly postgresCpu: number;
  readonly redisCpu: number;
  /** Of the callers and the mail host. */
  readonly othersCpu: number;
  readonly ratio: number;
  readonly cpuRatio: number;
}

const measured: Measured[] = [];
for (let round = 0; round < Number(values.rounds); round++)
  for (const count of values.callers.split(',').map(Number)) {
    let first: Measured | null = null;
    for (const route of values.routes.split(',')) {
      const one = await measure(route, count, first);
      first ??= one;
      measured.push(one);
    }
  }

console.log(
  'callers  route  requests/s  / first  µs of CPU  x first  PostgreSQL  Redis  others  p50 ms  p99 ms  not 200',
);
for (const count of values.callers.split(',').map(Number))
  for (const route of values.routes.split(',')) {
    const rounds = measured.filter((one) => one.route === route && one.callers === count);
    const of = (value: (one: Measured) => number) => median(rounds.map(value));
    const columns = [
      String(count).padEnd(9),
      route.padEnd(7),
      of((one) => one.perSecond)
        .toFixed(0)
        .padEnd(12),
      of((one) => one.ratio)
        .toFixed(3)
        .padEnd(9),
      of((one) => one.cpu)
        .toFixed(0)
        .padEnd(11),
      of((one) => one.cpuRatio)
        .toFixed(2)
        .padEnd(9),
      of((one) => one.postgresCpu)
        .toFixed(0)
        .padEnd(12),
      of((one) => one.redisCpu)
        .toFixed(0)
        .padEnd(7),
      of((one) => one.othersCpu)
        .toFixed(0)
        .padEnd(8),
      of((one) => one.p50Ms)
        .toFixed(2)
        .padEnd(8),
      of((one) => one.p99Ms)
        .toFixed(2)
        .padEnd(8),
      rounds.reduce((sum, { refused }) => sum + refused, 0),
    ];
    console.log(columns.join(''));
  }

if (values.profile !== undefined) await endInGoodOrder(service);
service.kill('SIGKILL');
await servers.stop();
// Sinks and callers go with it.
process.exit();

async function measure(route: string, count: number, first: Measured | null): Promise<Measured> {
  const { port: at, child } = targets[route]!;
  const order = { port: at, tokens: tokens[route]!, callers: count };
  await ask({ ...order, seconds: 0.5 });
  const pids = [child.pid!, servers.postgresPid, servers.redisPid, callers.pid!, smtp.child.pid!];
  const before = pids.map(cpuMicros);
  const startedAt = performance.now();
  const outcome = await ask({ ...order, seconds });
  const perSecond = (1000 * outcome.requests) / (performance.now() - startedAt);
  const [cpu, postgresCpu, redisCpu, callersCpu, hostCpu] = pids.map(
    (pid, i) => (cpuMicros(pid) - before[i]!) / outcome.requests,
  );
  return {
    ...outcome,
    route,
    callers: count,
    perSecond,
    cpu: cpu!,
    postgresCpu: postgresCpu!,
    redisCpu: redisCpu!,
    othersCpu: callersCpu! + hostCpu!,
    ratio: perSecond / (first?.perSecond ?? perSecond),
    cpuRatio: cpu! / (first?.cpu ?? cpu!),
  };
}

async function ask(order: Omit<Order, 'domains'>): Promise<Outcome> {
  callers.send({ ...order, domains: DOMAINS } satisfies Order);
  const [outcome] = (await once(callers, 'message')) as [Outcome];
  return outcome;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;
}
