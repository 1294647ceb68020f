import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { parseArgs, promisify } from 'node:util';

import type { Measured, Workload } from './workload.js';

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '10' },
    missing: { type: 'string', default: '0.03' },
  },
});
if (values.help) {
  console.log('npm run bench:smtp -- [--rounds 3] [--connections 10] [--missing 0.03]');
  process.exit();
}
const connections = Number(values.connections);
const missing = Number(values.missing);

type Variant = 'oneConnectionAnAddress' | 'barePipelinedLoop' | 'bareLoopWithinCaps' | 'verifyManyOfEngine';

async function measured(variant: Variant, workload: Workload): Promise<Measured> {
  const file = new URL('variant.js', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [file, variant, JSON.stringify(workload)]);
  return JSON.parse(stdout) as Measured;
}

async function withSink<T>(latencyMs: number, use: (port: number) => Promise<T>): Promise<T> {
  const sink = fork(new URL('sink.js', import.meta.url), [String(latencyMs)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [line] = (await once(sink.stdout!, 'data')) as [Buffer];
  try {
    return await use(Number(line.toString()));
  } finally {
    sink.kill();
  }
}

/** The variants in turn, `rounds` times; of each the median. */
async function compare(
  latencyMs: number,
  addresses: Readonly<Partial<Record<Variant, number>>>,
): Promise<Partial<Record<Variant, Measured>>> {
  const runs: Partial<Record<Variant, Measured[]>> = {};
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [variant, count] of Object.entries(addresses) as [Variant, number][]) {
      const run = await withSink(latencyMs, (port) =>
        measured(variant, { port, addresses: count, connections, missing }),
      );
      (runs[variant] ??= []).push(run);
    }
  }
  return Object.fromEntries(
    Object.entries(runs).map(([variant, all]) => [
      variant,
      all.toSorted((a, b) => a.addressesPerSecond - b.addressesPerSecond)[Math.floor(all.length / 2)]!,
    ]),
  );
}

function print(title: string, results: Partial<Record<Variant, Measured>>): void {
  console.log(`\n${title}`);
  for (const [variant, run] of Object.entries(results)) {
    const rate = Math.round(run.addressesPerSecond).toLocaleString('en');
    console.log(
      `  ${variant.padEnd(24)} ${rate.padStart(9)} addresses/s  ${run.cpuMicrosPerAddress.toFixed(2).padStart(7)} µs CPU an address  ` +
        `${run.rssMb.toFixed(0)} MB  (${run.valid} valid, ${run.invalid} invalid)`,
    );
  }
}

console.log(
  `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}; ${connections} connections, ${missing * 100}% of the mailboxes missing`,
);
const far = await compare(20, { oneConnectionAnAddress: 2_000, verifyManyOfEngine: 60_000 });
print('20 ms of round trip', far);
const ratio = far.verifyManyOfEngine!.addressesPerSecond / far.oneConnectionAnAddress!.addressesPerSecond;
console.log(`  ratio: ${ratio.toFixed(1)} times the addresses a second (target: at least 25)`);

const near = await compare(0, {
  oneConnectionAnAddress: 10_000,
  barePipelinedLoop: 400_000,
  bareLoopWithinCaps: 400_000,
  verifyManyOfEngine: 400_000,
});
print('no latency', near);
const timesOf = (bare: Measured) =>
  (near.verifyManyOfEngine!.cpuMicrosPerAddress / bare.cpuMicrosPerAddress).toFixed(2);
console.log(
  `  ratio: ${timesOf(near.bareLoopWithinCaps!)} times the CPU of the bare loop within the same caps (target: at most 3),`,
);
console.log(`         ${timesOf(near.barePipelinedLoop!)} times that of one that keeps no caps`);
