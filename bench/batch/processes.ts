import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';

const TICK_MICROS = 10_000;
process.setMaxListeners(0);

/** Starts a sink; resolves with the port that it prints. */
export async function startSink(
  file: string,
  options: readonly string[] = [],
): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(new URL(file, import.meta.url), options, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  process.once('exit', () => child.kill('SIGKILL'));
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  return { child, port: Number(line.toString()) };
}

/**
 * Starts the built service; resolves when it works. With `profile` it leaves a CPU profile in that folder when it ends.
 * @param options further ones for Node
 */
export async function startService(
  environment: Readonly<Record<string, string>>,
  profile: string | null,
  options: readonly string[] = [],
): Promise<ChildProcess> {
  const child = fork(new URL('../../src/main.js', import.meta.url), {
    execArgv: [...options, ...(profile === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`])],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      LOG_LEVEL: 'info',
      ...optionsOf(environment),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  let text = '';
  const listening = new Promise<void>((resolve) => {
    child.stdout!.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-2_000);
      if (/listening on|the worker runs/i.test(text)) resolve();
      for (const line of chunk.toString().split('\n')) if (/"level":"(warn|error)"/.test(line)) console.error(line);
    });
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`The service ended before it worked:\n${text}`);
  });
  await Promise.race([listening, ended]);
  return child;
}

/** As docker-compose.yml starts a worker. */
function optionsOf({ ROLE }: Readonly<Record<string, string>>): { NODE_OPTIONS?: string } {
  return ROLE === 'worker' ? { NODE_OPTIONS: '--max-semi-space-size=32' } : {};
}

/** CPU time of a process and of those that it has started, in microseconds. */
export function cpuMicros(pid: number): number {
  return familyOf(pid).reduce((sum, one) => sum + ticksOf(one), 0) * TICK_MICROS;
}

/** The most memory that a process has had, in MB. */
export function peakRssMb(pid: number): number {
  return memoryMb(pid, 'VmHWM');
}

export function currentRssMb(pid: number): number {
  return memoryMb(pid, 'VmRSS');
}

function memoryMb(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024);
}

export function parentOf(pid: number): number {
  return Number(statOf(String(pid))[1]);
}

function familyOf(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => Number(statOf(name)[1]) === pid);
  return [pid, ...children.map(Number)];
}

/** With the time of children that have ended. */
function ticksOf(pid: number): number {
  const stat = statOf(String(pid));
  return [11, 12, 13, 14].reduce((sum, field) => sum + Number(stat[field] ?? 0), 0);
}

/** The fields of `/proc/<pid>/stat` after the command's name. */
function statOf(pid: string): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
