import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { cpuMicros, startService, startSink } from '../batch/processes.js';
import { batchAddresses } from '../batch/workload.js';
import { batchClient, bodyOf, freePort, isOver, newKey, startServers } from '../batch/world.js';
import type { Outcome } from '../single/callers.js';

/*
 * What metrics cost: two installations with a process of role api and a worker each, one that counts, and one that counts nothing
 * and has no port. Both do the same pieces in turn
 * (A B B A), so that what else this machine does meets both; the ratio of each pair, its median, and a bootstrap interval are told; what a
 * scrape costs beside is told apart, since a busy machine does few requests in a piece and as many scrapes.
 */
const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '40' },
    addresses: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '1.5' },
  },
});
const pairs = Number(values.pairs);
const count = Number(values.addresses);
const CREDITS = 1_000_000_000;
const ACCOUNTS = 32;
const CALLERS = 16;
const RESAMPLES = 10_000;
const SCRAPES = 40;

const dns = await startSink('../batch/dns-sink.js');
const smtp = await startSink('../smtp/sink.js', ['0', 'starttls']);
const callers = fork(new URL('../single/callers.js', import.meta.url));
const counting = await startInstallation(true);
const silent = await startInstallation(false);
type Installation = typeof counting;

for (const [what, piece, warm] of [
  ['single verifications', single, 6],
  ['batches', batch, 4],
] as const) {
  for (let i = 0; i < warm; i++) for (const each of [counting, silent]) await piece(each);
  const ratios: number[] = [];
  const [on, off]: [number[], number[]] = [[], []];
  for (let pair = 0; pair < pairs; pair++) {
    const order = pair % 2 === 0 ? [counting, silent] : [silent, counting];
    const micros = new Map<Installation, number>();
    for (const each of order) micros.set(each, await piece(each));
    on.push(micros.get(counting)!);
    off.push(micros.get(silent)!);
    ratios.push(micros.get(counting)! / micros.get(silent)! - 1);
  }
  const [least, most] = interval(ratios);
  console.log(
    `${what}: ${median(off).toFixed(1)} µs of CPU without, ${median(on).toFixed(1)} with metrics; of ${pairs} pairs the median is ${percent(median(ratios))} (95%: ${percent(least)} to ${percent(most)})`,
  );
}
const beforeScrapes = counting.cpu();
for (let i = 0; i < SCRAPES; i++) await counting.scrape();
const scrapeMs = (counting.cpu() - beforeScrapes) / 1_000 / SCRAPES / 2;
console.log(
  `a scrape of one process: ${scrapeMs.toFixed(1)} ms of CPU, ${percent(scrapeMs / 15_000)} of a core where it is scraped every 15 s`,
);
for (const { stop } of [counting, silent]) await stop();
process.exit();

async function startInstallation(isCounting: boolean) {
  const servers = await startServers();
  const keys: string[] = [];
  while (keys.length < ACCOUNTS) keys.push(await newKey(servers.database, CREDITS));
  const port = await freePort();
  const metricsPorts = isCounting ? [await freePort(), await freePort()] : [];
  const environment = {
    ...servers.environment,
    DNS_SERVERS: `127.0.0.1:${dns.port}`,
    DNS_KNOWN_DOMAINS: 'd0.example.com',
    SMTP_PORT: String(smtp.port),
    MX_ALLOWED_NETWORKS: '127.0.0.0/8',
  };
  const options = isCounting ? [] : ['--import', new URL('./no-counting.js', import.meta.url).href];
  const start = (role: Record<string, string>, number: number): Promise<ChildProcess> => {
    const own: Record<string, string> = isCounting ? { METRICS_PORT: String(metricsPorts[number]) } : {};
    return startService({ ...environment, ...role, ...own }, null, options);
  };
  const children = [await start({ ROLE: 'api', PORT: String(port) }, 0), await start({ ROLE: 'worker' }, 1)];
  return {
    port,
    keys,
    /** CPU of both processes. */
    cpu: () => children.reduce((sum, { pid }) => sum + cpuMicros(pid!), 0),
    scrape: () =>
      Promise.all(metricsPorts.map(async (each) => (await fetch(`http://127.0.0.1:${each}/metrics`)).text())),
    stop: async () => {
      for (const child of children) child.kill('SIGKILL');
      await servers.stop();
    },
  };
}

/** @returns µs of CPU a request */
async function single(installation: Installation): Promise<number> {
  const before = installation.cpu();
  const { port, keys: tokens } = installation;
  callers.send({ port, tokens, callers: CALLERS, seconds: Number(values.seconds), domains: 200 });
  const [{ requests }] = (await once(callers, 'message')) as [Outcome];
  return (installation.cpu() - before) / requests;
}

/** @returns µs of CPU an address */
async function batch(installation: Installation): Promise<number> {
  const client = batchClient(installation.port, installation.keys[0]!);
  const body = bodyOf(batchAddresses(count));
  const before = installation.cpu();
  const { id } = await client.post(body);
  while (!isOver(await client.status(id))) await delay(100);
  return (installation.cpu() - before) / count;
}

/** Of the median, by drawing pairs again and again. */
function interval(ratios: readonly number[]): readonly [number, number] {
  const medians = Array.from({ length: RESAMPLES }, () =>
    median(ratios.map(() => ratios[Math.floor(Math.random() * ratios.length)]!)),
  ).sort((a, b) => a - b);
  return [medians[Math.floor(RESAMPLES * 0.025)]!, medians[Math.floor(RESAMPLES * 0.975)]!];
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function percent(ratio: number): string {
  return `${ratio >= 0 ? '+' : ''}${(100 * ratio).toFixed(1)}%`;
}
