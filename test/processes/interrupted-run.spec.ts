import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commandOf } from '../../src/platform/embedded/processes.js';

const VITEST = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs');

it.each(['SIGINT', 'SIGKILL'] as const)(
  'a run of the tests that is ended by %s leaves no PostgreSQL and no folder behind',
  async (signal) => {
    const folder = mkdtempSync(join(tmpdir(), 'run-'));
    chmodSync(folder, 0o755);
    const run = spawn(process.execPath, [VITEST, 'run', '--project', 'served', 'test/api/export.spec.ts'], {
      env: { ...process.env, TMPDIR: folder },
      stdio: 'ignore',
    });
    const ended = once(run, 'exit');
    const servers = () =>
      readdirSync('/proc')
        .map(Number)
        .filter((pid) => pid > 0 && commandOf(pid).includes(folder) && /postgres\0-D/.test(commandOf(pid)));
    await expect.poll(servers).toHaveLength(1);
    run.kill(signal);
    await ended;
    await expect.poll(servers).toEqual([]);
    await expect.poll(() => readdirSync(folder).filter((name) => name.startsWith('mailsonde-'))).toEqual([]);
    rmdirSync(folder);
  },
);
