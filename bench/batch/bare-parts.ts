import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';

import type { Measured, Workload } from '../smtp/workload.js';
import { cpuMicros } from './processes.js';

export interface BarePart {
  readonly what: string;
  readonly addressesPerSecond: number;
  /** Of the process that does it. */
  readonly cpuMicrosPerAddress: number;
}

const RECIPIENTS = 400_000;
const DIALOGUES = 10_000;

/** What a batch cannot do without, by itself, on the machine and the sinks of the run. */
export async function measureBareParts(world: {
  readonly database: pg.Client;
  readonly postgresPid: number;
  /** A folder that PostgreSQL may write to. */
  readonly folder: string;
  readonly smtpPort: number;
  /** The mail host offers STARTTLS; the bare loop never takes it. */
  readonly starttls: boolean;
  readonly addresses: number;
}): Promise<BarePart[]> {
  return [
    await copyIn(world),
    await dialogue('RCPT loop within the caps, replies not looked into', 'bareLoopWithinCaps', {
      port: world.smtpPort,
      starttls: false,
      addresses: RECIPIENTS,
    }),
    await dialogue(`one connection an address, ${world.starttls ? 'STARTTLS' : 'plain'}`, 'oneConnectionAnAddress', {
      port: world.smtpPort,
      starttls: world.starttls,
      addresses: DIALOGUES,
    }),
  ];
}

async function copyIn({ database, postgresPid, folder, addresses }: Parameters<typeof measureBareParts>[0]) {
  const file = join(folder, 'addresses.copy');
  await database.query(
    `COPY (SELECT i, 'ok.user' || i || '@d' || i % 60000 || '.example.com' FROM generate_series(1, ${addresses}) AS i) TO '${file}'`,
  );
  await database.query('CREATE TABLE bare_addresses (id integer PRIMARY KEY, email text)');
  const before = cpuMicros(postgresPid);
  const startedAt = performance.now();
  await database.query(`COPY bare_addresses FROM '${file}'`);
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    what: 'COPY of the addresses into PostgreSQL, a row each',
    addressesPerSecond: addresses / seconds,
    cpuMicrosPerAddress: (cpuMicros(postgresPid) - before) / addresses,
  };
}

async function dialogue(
  what: string,
  variant: string,
  part: Pick<Workload, 'port' | 'starttls' | 'addresses'>,
): Promise<BarePart> {
  const file = new URL('../smtp/variant.js', import.meta.url).pathname;
  const workload: Workload = {
    ...part,
    addressesPerHost: null,
    connections: 25,
    missing: 0.03,
  };
  const { stdout } = await promisify(execFile)(process.execPath, [file, variant, JSON.stringify(workload)]);
  return { what, ...(JSON.parse(stdout) as Measured) };
}
