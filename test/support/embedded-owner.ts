import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { builtFile } from './built.js';

const PROGRAM = `
  const { startEmbedded } = await import(process.argv[1]);
  const embedded = await startEmbedded({ dataDir: process.argv[2], databaseUrl: null, redisUrl: null }, () => undefined);
  console.log(JSON.stringify(embedded));
  process.stdin.on('end', async () => { await embedded.stop(); process.exit(); }).resume();
`;

/** A process that owns embedded servers as a copy of the service does, to be ended or killed. */
export interface EmbeddedOwner {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** In good order. */
  end(): Promise<void>;
  /** By SIGKILL. */
  kill(): Promise<void>;
}

/** @throws with the process's last words, when it does not start. */
export async function startOwner(dataDir: string): Promise<EmbeddedOwner> {
  const args = ['--input-type=module', '-e', PROGRAM, builtFile('src/platform/embedded/embedded.js'), dataDir];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let words = '';
  child.stderr.on('data', (chunk: Buffer) => (words += chunk.toString()));
  const exited = once(child, 'exit');
  const [line] = (await Promise.race([once(child.stdout, 'data'), exited])) as [Buffer | number | null];
  if (!Buffer.isBuffer(line)) throw new Error(words);
  const { databaseUrl, redisUrl } = JSON.parse(line.toString()) as { databaseUrl: string; redisUrl: string };
  return {
    databaseUrl,
    redisUrl,
    end: () => ended(child, exited, () => child.stdin.end()),
    kill: () => ended(child, exited, () => child.kill('SIGKILL')),
  };
}

async function ended(child: ChildProcess, exited: Promise<unknown>, how: () => void): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) how();
  await exited;
}
