/** What all variants verify: addresses of many domains on one mail host, a share of which do not exist. */
export interface Workload {
  readonly port: number;
  readonly addresses: number;
  readonly connections: number;
  /** 0–1. */
  readonly missing: number;
}

const DOMAINS = 100;

export function* workloadAddresses({ addresses, missing }: Workload): Generator<string> {
  for (let index = 0; index < addresses; index++) {
    const exists = (index * 0.618_033_988_7) % 1 >= missing;
    yield `${exists ? 'ok' : 'no'}.user${index}@domain${index % DOMAINS}.example.com`;
  }
}

export interface Measured {
  readonly seconds: number;
  readonly cpuMicrosPerAddress: number;
  readonly addressesPerSecond: number;
  readonly valid: number;
  readonly invalid: number;
  readonly rssMb: number;
}

export async function measure(
  addresses: number,
  work: () => Promise<{ valid: number; invalid: number }>,
): Promise<Measured> {
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
    rssMb: process.memoryUsage().rss / 1_048_576,
  };
}
