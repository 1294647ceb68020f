import { type ChildProcess, fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { ConfigurationError } from '../config/configuration-error.js';
import { freePort, until } from './processes.js';

/** A running server of our own. */
export interface RedisProcess {
  readonly pid: number;
  readonly port: number;
  readonly password: string;
  /** `redis-server`, `valkey-server` or `js-redis-server`. */
  readonly program: string;
}

const NATIVE_PROGRAMS = ['redis-server', 'valkey-server'];

/**
 * Starts a server that outlives us if it must: the first program found on the PATH, else the one from npm.
 * @throws ConfigurationError where there is none
 */
export async function launchRedis(databases: number): Promise<RedisProcess> {
  const password = randomBytes(24).toString('hex');
  for (const program of NATIVE_PROGRAMS) {
    const started = await launchNative(program, password, databases);
    if (started) return { ...started, password, program };
  }
  if (!isInstalled('js-redis-server')) throw nothingToLaunch();
  return { ...(await launchJavaScript(password, databases)), password, program: 'js-redis-server' };
}

/** An optional package, which the image is made without. */
function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}

function nothingToLaunch(): ConfigurationError {
  return new ConfigurationError(
    'REDIS_URL',
    null,
    'a URL such as redis://:password@host:6379/0, because neither redis-server nor the optional package js-redis-server is installed here',
  );
}

/** Null when the program is not installed, or does not stay. */
async function launchNative(program: string, password: string, databases: number) {
  const port = await freePort();
  // Configured by standard input, because everybody on the machine can read a command line.
  const child = spawn(program, ['-'], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.stdin.end(
    [
      'bind 127.0.0.1',
      `port ${port}`,
      `requirepass ${password}`,
      `databases ${databases}`,
      'save ""',
      'appendonly no',
    ].join('\n'),
  );
  // The program is not installed. Such a child must not be killed: its pid in libuv is 0, which means our own process group.
  if (child.pid === undefined) return null;
  const up = await until(async () => hasEnded(child) || (await accepts(port)), 10_000);
  if (!up || hasEnded(child)) {
    child.kill('SIGKILL');
    return null;
  }
  child.unref();
  return { pid: child.pid, port };
}

async function launchJavaScript(password: string, databases: number) {
  const child = fork(join(import.meta.dirname, 'js-redis-process.js'), {
    detached: true,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.send({ password, databases });
  const ended = once(child, 'exit').then(() => {
    throw new Error('js-redis-server ended while it started.');
  });
  const answered = once(child, 'message', { signal: AbortSignal.timeout(15_000) });
  const [{ port }] = (await Promise.race([answered, ended]).catch((error: unknown) => {
    child.kill();
    throw error;
  })) as [{ port: number }];
  // The channel stays open and unused, because its end tells the process of our end.
  child.unref();
  child.channel?.unref();
  return { pid: child.pid!, port };
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
