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
    only: { type: 'string' },
    plain: { type: 'boolean', default: false },
    certificate: { type: 'string', default: 'ec' },
  },
});
if (values.help) {
  console.log(
    'npm run bench:smtp -- [--rounds 3] [--connections 10] [--missing 0.03] [--only hosts] [--plain] [--certificate rsa]\n\nMail hosts offer STARTTLS, as nearly all real ones do; beside it stands what the same takes in clear.\n--plain: only what it takes in clear\n--only hosts: the first table alone, a mail host for every few addresses.\n--certificate: the kind of key that mail hosts have, ec (P-256) or rsa (2,048 bits).',
  );
  process.exit();
}
const connections = Number(values.connections);
const missing = Number(values.missing);
/** So that 0.075 connections an address are opened, as a worker does for a list of many small domains. */
const ADDRESSES_PER_HOST = 13;

type Variant =
  'oneConnectionAnAddress' | 'barePipelinedLoop' | 'bareLoopWithinCaps' | 'bareConnectionAHost' | 'verifyManyOfEngine';
/** One line of a table. */
type Part = { readonly variant: Variant } & Pick<Workload, 'addresses' | 'starttls' | 'addressesPerHost'>;
type Run = Measured & { readonly connectionsPerAddress: number };

async function measured({ variant, ...part }: Part, latencyMs: number): Promise<Run> {
  const options = [String(latencyMs), part.starttls ? 'starttls' : 'clear', values.certificate];
  const sink = fork(new URL('sink.js', import.meta.url), options, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const [line] = (await once(sink.stdout!, 'data')) as [Buffer];
  try {
    const workload: Workload = { ...part, port: Number(line.toString()), connections, missing };
    const file = new URL('variant.js', import.meta.url).pathname;
    const { stdout } = await promisify(execFile)(process.execPath, [file, variant, JSON.stringify(workload)]);
    sink.send('connections');
    const [opened] = (await once(sink, 'message')) as [number];
    return { ...(JSON.parse(stdout) as Measured), connectionsPerAddress: opened / part.addresses };
  } finally {
    sink.kill();
  }
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

/** The parts in turn, `rounds` times. @returns their runs, each beside those of its own round */
async function compare<Name extends string>(
  title: string,
  latencyMs: number,
  parts: Readonly<Record<Name, Part>>,
): Promise<Readonly<Record<Name, readonly Run[]>>> {
  const names = Object.keys(parts) as Name[];
  const runs = Object.fromEntries(names.map((name) => [name, [] as Run[]])) as Record<Name, Run[]>;
  const asked = names.filter((name) => !values.plain || !parts[name].starttls);
  for (let round = 0; round < Number(values.rounds); round++)
    for (const name of asked) runs[name].push(await measured(parts[name], latencyMs));
  console.log(`\n${title}`);
  for (const name of asked) print(name, runs[name]);
  return runs;
}

function print(name: string, runs: readonly Run[]): void {
  const of = (member: (run: Run) => number, digits: number) =>
    median(runs.map(member)).toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  console.log(
    `  ${name.padEnd(34)} ${of((run) => run.addressesPerSecond, 0).padStart(9)} addresses/s  ` +
      `${of((run) => run.cpuMicrosPerAddress, 2).padStart(8)} µs CPU and ${of((run) => run.connectionsPerAddress, 3)} connections an address  ` +
      `${of((run) => run.rssMb, 0)} MB  p99 of turns ${of((run) => run.turnMs, 0)} ms  (${runs[0]!.valid} valid, ${runs[0]!.invalid} invalid)`,
  );
}

const cpuOf = (run: Run): number => run.cpuMicrosPerAddress;
const paceOf = (run: Run): number => run.addressesPerSecond;
/** The median of what the rounds say, each for itself; a dash for what was not measured. */
const ratio = (of: readonly Run[], to: readonly Run[], member: (run: Run) => number): string =>
  of.length === 0 || to.length === 0
    ? '–'
    : median(of.map((run, round) => member(run) / member(to[round]!))).toFixed(2);

/** Microseconds that a connection costs more with STARTTLS. */
const addedToConnection = (encrypted: readonly Run[], clear: readonly Run[]): number =>
  median(encrypted.map((run, round) => (cpuOf(run) - cpuOf(clear[round]!)) / run.connectionsPerAddress));

const part = (
  variant: Variant,
  addresses: number,
  starttls: boolean,
  addressesPerHost: number | null = null,
): Part => ({ variant, addresses, starttls, addressesPerHost });

console.log(
  `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}; ${connections} connections, ${missing * 100}% of the mailboxes missing`,
);

const hosts = await compare(
  `no latency, a mail host for each ${ADDRESSES_PER_HOST} addresses: each host's first connection`,
  0,
  {
    'verifyMany, STARTTLS': part('verifyManyOfEngine', 30_000, true, ADDRESSES_PER_HOST),
    'verifyMany, clear': part('verifyManyOfEngine', 30_000, false, ADDRESSES_PER_HOST),
    "Node's client alone, STARTTLS": part('bareConnectionAHost', 30_000, true, ADDRESSES_PER_HOST),
    "Node's client alone, clear": part('bareConnectionAHost', 30_000, false, ADDRESSES_PER_HOST),
    'one connection each, STARTTLS': part('oneConnectionAnAddress', 2_000, true),
    'one connection each, clear': part('oneConnectionAnAddress', 2_000, false),
  },
);
console.log(
  `  ratio: ${ratio(hosts['verifyMany, STARTTLS'], hosts['verifyMany, clear'], cpuOf)} times the CPU of clear connections (target: at most 1.5); one connection an address: ${ratio(hosts['one connection each, STARTTLS'], hosts['one connection each, clear'], cpuOf)}`,
);
if (!values.plain) {
  const clearCpu = median(hosts['verifyMany, clear'].map(cpuOf));
  const byEngine = addedToConnection(hosts['verifyMany, STARTTLS'], hosts['verifyMany, clear']);
  const byNode = addedToConnection(hosts["Node's client alone, STARTTLS"], hosts["Node's client alone, clear"]);
  console.log(
    `  STARTTLS adds ${byEngine.toFixed(0)} µs to a connection, ${byNode.toFixed(0)} to one of Node's client alone, with which the ratio would be ${(1 + byNode / ADDRESSES_PER_HOST / clearCpu).toFixed(2)}`,
  );
}
if (values.only === 'hosts') process.exit();

const far = await compare('20 ms of round trip, one mail host', 20, {
  'one connection each, STARTTLS': part('oneConnectionAnAddress', 2_000, true),
  'one connection each, clear': part('oneConnectionAnAddress', 2_000, false),
  'verifyMany, STARTTLS': part('verifyManyOfEngine', 60_000, true),
  'verifyMany, clear': part('verifyManyOfEngine', 60_000, false),
});
console.log(
  `  ratio: ${ratio(far['verifyMany, STARTTLS'], far['one connection each, STARTTLS'], paceOf)} times the addresses a second (clear: ${ratio(far['verifyMany, clear'], far['one connection each, clear'], paceOf)}; target: at least 25)`,
);

const near = await compare('no latency, one mail host', 0, {
  'bare pipelined loop, clear': part('barePipelinedLoop', 400_000, false),
  'bare loop within caps, clear': part('bareLoopWithinCaps', 400_000, false),
  'verifyMany, STARTTLS': part('verifyManyOfEngine', 400_000, true),
  'verifyMany, clear': part('verifyManyOfEngine', 400_000, false),
});
console.log(
  `  ratio: ${ratio(near['verifyMany, clear'], near['bare loop within caps, clear'], cpuOf)} times the CPU of the bare loop within the same caps (target: at most 3),`,
);
console.log(
  `         ${ratio(near['verifyMany, clear'], near['bare pipelined loop, clear'], cpuOf)} times that of one that keeps no caps; STARTTLS ${ratio(near['verifyMany, STARTTLS'], near['verifyMany, clear'], cpuOf)} times clear`,
);
