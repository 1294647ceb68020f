import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Ends what has the folder in its command line, such as a PostgreSQL by its data, and removes the folder. SIGQUIT is PostgreSQL's
 * immediate shutdown: nothing is written, and its processes end with it.
 */
const PROGRAM = `
  import { readdirSync, readFileSync, rmSync } from 'node:fs';
  import { createConnection } from 'node:net';
  import { setTimeout as delay } from 'node:timers/promises';

  const folder = process.argv[1];
  let said = '';
  for await (const chunk of process.stdin) said += chunk;
  for (const { port, hostname, password } of said.split('\\n').filter(Boolean).map((url) => new URL(url)))
    createConnection(port, hostname).on('error', () => {}).end('AUTH ' + password + '\\r\\nSHUTDOWN NOSAVE\\r\\n');
  for (let tries = 0; using().length > 0; tries++) {
    for (const pid of using()) try { process.kill(pid, tries < 100 ? 'SIGQUIT' : 'SIGKILL'); } catch {}
    await delay(50);
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });

  function using() {
    return readdirSync('/proc').map(Number).filter((pid) => {
      try { return pid !== process.pid && readFileSync('/proc/' + pid + '/cmdline', 'utf8').includes(folder); } catch { return false; }
    });
  }
`;

/** A process that cleans up after this one, also when this one is interrupted or killed. */
export function startCleaner(folder: string): { alsoStops(redisUrl: string): void; clean(): Promise<void> } {
  // Its own session, so that Ctrl-C in a terminal does not reach it. It hears of the end by the end of its input.
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  return {
    alsoStops: (redisUrl) => void child.stdin.write(`${redisUrl}\n`),
    clean: async () => {
      child.stdin.end();
      await exited;
    },
  };
}
