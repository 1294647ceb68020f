import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { mutate, seededRandom } from './mutate.js';

export interface FuzzTarget {
  /** The folder under `test/corpus/fuzz/` that keeps failing inputs: kebab-case. */
  readonly name: string;
  /** Where the mutations start: at least one, the more different the better. */
  readonly seedInputs: readonly string[];
  /** Throws, or rejects, when `input` breaks a promise. Bytes are passed as latin1 text by who needs bytes. */
  readonly property: (input: string) => void | Promise<void>;
  /** Makes inputs that no mutation would come to; half of all inputs are its own. */
  readonly generate?: (random: () => number) => string;
  readonly seconds: number;
  /** Instead of the seconds; null: as many as they have room for. */
  readonly inputs: number | null;
  readonly seed: number;
}

export interface FuzzOutcome {
  readonly executions: number;
  /** The longest that one input took of the processors: on a busy machine the clock tells what others do. */
  readonly slowestMs: number;
  /** Files written, relative to the working directory. */
  readonly failures: readonly string[];
}

/** Enough to see a pattern; a broken parser would otherwise fill the disk. */
const MAX_FAILURES = 20;
const SHRINK_ATTEMPTS = 2_000;
/** One input that takes this long is a failure of its own: hostile text must not stall a worker. */
const TOO_SLOW_MS = 250;
/** Nor may it take so much more memory than all inputs before it. */
const TOO_LARGE_BYTES = 100 * 1024 * 1024;
const POOL_SIZE = 2_000;
/** Long mutants beget longer ones: they are tried, not bred from. */
const MAX_KEPT_LENGTH = 4_000;

/** `--seconds` (default 10) or `--inputs`, and `--seed` (default: the time) of the command line. */
export function fuzzArguments(): { seconds: number; inputs: number | null; seed: number } {
  const type = 'string';
  const { values } = parseArgs({ options: { seconds: { type }, inputs: { type }, seed: { type }, only: { type } } });
  return {
    seconds: Number(values.seconds ?? 10),
    inputs: values.inputs === undefined ? null : Number(values.inputs),
    seed: Number(values.seed ?? Date.now() % 2 ** 32),
  };
}

/**
 * Runs a property over mutated inputs until the time is up. Prints the seed first, so that any run can be repeated; shrinks
 * what fails and keeps it in `test/corpus/fuzz/<name>/`, which the specs replay. Sets the exit code when anything failed.
 */
export async function fuzz(target: FuzzTarget): Promise<FuzzOutcome> {
  const { inputs } = target;
  console.log(`${target.name}: seed ${target.seed}, ${inputs === null ? `${target.seconds} s` : `${inputs} inputs`}`);
  const random = seededRandom(target.seed);
  const pool = [...target.seedInputs];
  const failures: string[] = [];
  const seen = new Set<string>();
  const end = performance.now() + target.seconds * 1_000;
  const isOver = (): boolean => (inputs === null ? performance.now() >= end : executions >= inputs);
  let executions = 0;
  let slowestMs = 0;
  for (; !isOver() && failures.length < MAX_FAILURES; executions++) {
    const made = target.generate !== undefined && random() < 0.5 ? target.generate(random) : null;
    const input = target.seedInputs[executions] ?? made ?? mutate(pool, random);
    const peakBytes = peakOfMemory();
    const { broken, tookMs } = await attempt(target.property, input);
    slowestMs = Math.max(slowestMs, tookMs);
    const tooLarge = peakOfMemory() - peakBytes > TOO_LARGE_BYTES ? 'takes too much memory' : null;
    const fault = broken ?? (tookMs > TOO_SLOW_MS ? 'too slow' : tooLarge);
    if (fault === null) {
      evolve(pool, input, target.seedInputs.length, random);
    } else if (!seen.has(fault)) {
      seen.add(fault);
      const smallest = broken === null ? input : await shrink(target.property, input);
      failures.push(keep(target.name, smallest, fault));
    }
  }
  console.log(`${target.name}: ${executions} inputs, slowest ${slowestMs.toFixed(1)} ms, ${failures.length} failures`);
  if (failures.length > 0) process.exitCode = 1;
  return { executions, slowestMs, failures };
}

/** What takes long is tried twice more: memory may have been cleared meanwhile. */
async function attempt(
  property: FuzzTarget['property'],
  input: string,
): Promise<{ broken: string | null; tookMs: number }> {
  let tookMs = Infinity;
  for (let tries = 0; tries < 3 && tookMs > TOO_SLOW_MS; tries++) {
    const before = process.cpuUsage();
    const broken = await faultOf(property, input);
    const { user, system } = process.cpuUsage(before);
    tookMs = Math.min(tookMs, (user + system) / 1_000);
    if (broken !== null) return { broken, tookMs };
  }
  return { broken: null, tookMs };
}

/** The most that this process has ever had in memory. */
function peakOfMemory(): number {
  return process.resourceUsage().maxRSS * 1_024;
}

/** Mutants of mutants reach further than mutants of seeds; the seeds themselves stay. */
function evolve(pool: string[], input: string, seeds: number, random: () => number): void {
  if (input.length > MAX_KEPT_LENGTH || random() < 0.9) return;
  if (pool.length < POOL_SIZE) pool.push(input);
  else pool[seeds + Math.floor(random() * (POOL_SIZE - seeds))] = input;
}

async function faultOf(property: FuzzTarget['property'], input: string): Promise<string | null> {
  try {
    const pending = property(input);
    if (pending !== undefined) await pending;
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Cuts ever smaller pieces out as long as the input keeps failing, in whatever way. */
async function shrink(property: FuzzTarget['property'], input: string): Promise<string> {
  let smallest = input;
  let attempts = 0;
  for (let size = input.length >> 1; size > 0; size >>= 1) {
    for (let at = 0; at + size <= smallest.length && attempts < SHRINK_ATTEMPTS; attempts++) {
      const shorter = smallest.slice(0, at) + smallest.slice(at + size);
      if ((await faultOf(property, shorter)) === null) at += size;
      else smallest = shorter;
    }
  }
  return smallest;
}

/** JSON, because a failing input may hold lone surrogates, which no file in UTF-8 can. */
function keep(name: string, input: string, fault: string): string {
  const folder = `test/corpus/fuzz/${name}`;
  const file = `${folder}/${createHash('sha256').update(JSON.stringify(input)).digest('hex').slice(0, 16)}.json`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `${JSON.stringify({ input, fault }, null, 2)}\n`);
  console.error(`${name}: ${fault}\n  ${JSON.stringify(input).slice(0, 300)}\n  kept in ${file}`);
  return file;
}
