import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';

import type { Measured, Workload } from './workload.js';

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    base: { type: 'string' },
    pairs: { type: 'string', default: '15' },
    addresses: { type: 'string', default: '200000' },
    'per-host': { type: 'string' },
    starttls: { type: 'boolean', default: false },
  },
});
if (values.help || values.base === undefined) {
  console.log(`npm run bench:smtp-pairs -- --base DIRECTORY [--pairs 15] [--addresses 200000] [--per-host 13] [--starttls]

CPU an address of this version and of another one, whose checkout is the directory and whose bench was compiled there
(node build.mjs bench). They run in turn, A B B A, against the same mail host: what others do on the machine meets both.
--per-host: a mail host for each so many addresses; left out: one host`);
  process.exit(values.help ? 0 : 2);
}
const pairs = Number(values.pairs);
const addresses = Number(values.addresses);
const starttls = values.starttls;
const addressesPerHost = values['per-host'] === undefined ? null : Number(values['per-host']);
const BASE = resolve(values.base, 'dist/bench/smtp/variant.js');
const OWN = new URL('variant.js', import.meta.url).pathname;
const RESAMPLES = 10_000;

async function cpuMicros(variant: string): Promise<number> {
  const options = ['0', starttls ? 'starttls' : 'clear'];
  const sink = fork(new URL('sink.js', import.meta.url), options, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const [line] = (await once(sink.stdout!, 'data')) as [Buffer];
  try {
    const port = Number(line.toString());
    const workload: Workload = { port, starttls, addresses, addressesPerHost, connections: 10, missing: 0.03 };
    const run = [variant, 'verifyManyOfEngine', JSON.stringify(workload)];
    const { stdout } = await promisify(execFile)(process.execPath, run);
    const measured = JSON.parse(stdout) as Measured;
    if (measured.valid + measured.invalid !== addresses) throw new Error(`not all were verified: ${stdout}`);
    return measured.cpuMicrosPerAddress;
  } finally {
    sink.kill();
  }
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

const median = (numbers: readonly number[]): number => {
  const sorted = numbers.toSorted((a, b) => a - b);
  return (quantile(sorted, 0.5) + sorted[Math.ceil(sorted.length / 2) - 1]!) / 2;
};

const base: number[] = [];
const own: number[] = [];
for (let pair = 0; pair < pairs; pair++) {
  const turns: [string, number[]][] = [
    [BASE, base],
    [OWN, own],
  ];
  for (const [variant, runs] of pair % 2 === 0 ? turns : turns.toReversed()) runs.push(await cpuMicros(variant));
  console.log(`${pair + 1}: ${base.at(-1)!.toFixed(2)} and ${own.at(-1)!.toFixed(2)} µs`);
}
const ratios = own.map((micros, pair) => micros / base[pair]!);
const resampled = Array.from({ length: RESAMPLES }, () =>
  median(ratios.map(() => ratios[Math.floor(Math.random() * ratios.length)]!)),
).toSorted((a, b) => a - b);
const percent = (ratio: number): string => `${ratio >= 1 ? '+' : ''}${((ratio - 1) * 100).toFixed(1)}%`;
console.log(
  `medians ${median(base).toFixed(2)} and ${median(own).toFixed(2)} µs; of the pairs ${percent(median(ratios))} ` +
    `(95%: ${percent(quantile(resampled, 0.025))} to ${percent(quantile(resampled, 0.975))}); ` +
    `of the least of each ${percent(Math.min(...own) / Math.min(...base))}`,
);
