import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What all variants verify: addresses of many domains, a share of which do not exist. */
export interface Workload {
  readonly port: number;
  /** The mail host offers STARTTLS. */
  readonly starttls: boolean;
  /** Addresses that share a mail host, one domain each, in a row; null when all domains share one. */
  readonly addressesPerHost: number | null;
  readonly addresses: number;
  readonly connections: number;
  /** 0–1. */
  readonly missing: number;
}

const DOMAINS = 100;

export function* workloadAddresses({ addresses, missing, addressesPerHost }: Workload): Generator<string> {
  for (let index = 0; index < addresses; index++) {
    const exists = (index * 0.618_033_988_7) % 1 >= missing;
    const domain = addressesPerHost === null ? index % DOMAINS : Math.floor(index / addressesPerHost);
    yield `${exists ? 'ok' : 'no'}.user${index}@domain${domain}.example.com`;
  }
}

export interface Measured {
  readonly seconds: number;
  readonly cpuMicrosPerAddress: number;
  readonly addressesPerSecond: number;
  readonly valid: number;
  readonly invalid: number;
  readonly rssMb: number;
  /** How long the event loop was held up, by the clock, at the 99th percentile. */
  readonly turnMs: number;
}

export async function measure(
  addresses: number,
  work: () => Promise<{ valid: number; invalid: number }>,
): Promise<Measured> {
  const turns = monitorEventLoopDelay({ resolution: 1 });
  turns.enable();
  const cpu = process.cpuUsage();
  const start = performance.now();
  const counts = await work();
  const seconds = (performance.now() - start) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  return {
    seconds,
    cpuMicrosPerAddress: (user + system) / addresses,
    addressesPerSecond: addresses / seconds,
    ...counts,
    turnMs: turns.percentile(99) / 1_000_000,
    rssMb: process.memoryUsage().rss / 1_048_576,
  };
}
