import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { KNOWN_DOMAIN, NO_DNS_SERVER } from './dns-server.js';

/** As in `service.ts`. */
const DEFAULTS = {
  SECRETS_KEY: '11'.repeat(32),
  FAILED_KEYS_PER_MINUTE: '1000000',
  DNS_SERVERS: NO_DNS_SERVER,
  DNS_KNOWN_DOMAINS: KNOWN_DOMAIN,
  INBOUND_PORT: '0',
};

const MAIN = resolve(import.meta.dirname, '../../dist/src/main.js');
/** Tries to start, each on another port: somebody else may take a free one before the service listens on it. */
const STARTS = 5;
/** Below the ports that Linux (`ip_local_port_range`), macOS and Windows hand out by themselves, to connections among others. */
const FREE_PORTS = { from: 20_000, below: 32_000 } as const;

export interface ServiceProcess {
  readonly url: string;
  readonly pid: number;
  /** All that it has written so far. */
  output(): string;
  /** Sends a signal; see `ended`. */
  kill(signal: NodeJS.Signals): void;
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

/**
 * The built service as a process of its own, once it listens. `dist/` is up to date: the run's global setup builds it.
 * @param variables its environment, such as `DATABASE_URL`, beside the defaults of tests; nothing else is handed on
 */
export async function startProcess(
  variables: Readonly<Record<string, string>> = {},
  script = MAIN,
  args: readonly string[] = [],
): Promise<ServiceProcess> {
  for (let start = 1; ; start++) {
    const port = variables['PORT'] ?? String(await freePort());
    const { child, output, ended } = spawnService({ ...variables, PORT: port }, script, args);
    const listening = heard(child, output, /listen(s|ing) on http|The worker runs/i);
    const early = await Promise.race([listening, ended]);
    if (early === undefined) {
      const kill = (signal: NodeJS.Signals) => void child.kill(signal);
      return { url: `http://127.0.0.1:${port}`, pid: child.pid!, output, kill, ended };
    }
    const wasTaken = variables['PORT'] === undefined && output().includes(`:${port} is taken)`);
    if (!wasTaken || start === STARTS)
      throw new Error(`The service ended with ${early} before it listened:\n${output()}`);
  }
}

export interface SpawnedProcess extends Omit<ServiceProcess, 'url'> {
  /** Resolves when it has written what matches; rejects when it ends without. */
  says(what: RegExp): Promise<void>;
}

/** The built service, whatever becomes of its start. */
export function spawnProcess(variables: Readonly<Record<string, string>>): SpawnedProcess {
  const { child, output, ended } = spawnService(variables);
  return {
    pid: child.pid!,
    output,
    kill: (signal) => void child.kill(signal),
    ended,
    says: async (what) => {
      const early = await Promise.race([heard(child, output, what), ended]);
      if (early !== undefined && !what.test(output()))
        throw new Error(`The service ended with ${early} and had not said ${what}:\n${output()}`);
    },
  };
}

/** The built service, or another script of it, when it is expected to refuse its start. */
export async function runProcess(
  variables: Readonly<Record<string, string>>,
  script = MAIN,
): Promise<{ exit: number | NodeJS.Signals; output: string }> {
  const { output, ended } = spawnService(variables, script);
  return { exit: await ended, output: output() };
}

function spawnService(variables: Readonly<Record<string, string>>, script = MAIN, args: readonly string[] = []) {
  const child = spawn(process.execPath, [script, ...args], {
    // Away from any `.env`.
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...DEFAULTS, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  return { child, output: () => text, ended };
}

async function heard(child: ChildProcess, output: () => string, what: RegExp): Promise<void> {
  while (!what.test(output())) await once(child.stdout!, 'data');
}

/** A port that was free a moment ago, and that the system gives nobody who does not ask for it by its number. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FREE_PORTS.from, FREE_PORTS.below);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
