import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RedisProcess } from './redis-launch.js';

/**
 * The Redis of a data directory, in `<dataDir>/redis/<generation>/state.json`; the highest generation counts. A dead server's
 * state is never replaced but followed by the next generation, which only one process can make, so that two processes that find
 * it dead at once cannot both replace it.
 */
export function latestState(dataDir: string): { generation: number; server: RedisProcess } | null {
  const generation = Math.max(0, ...generations(dataDir));
  if (generation === 0) return null;
  try {
    const server = JSON.parse(readFileSync(stateFile(dataDir, generation), 'utf8')) as RedisProcess;
    return { generation, server };
  } catch (error) {
    // Another process has just made the next generation.
    if (existsSync(stateFile(dataDir, generation))) throw error;
    return latestState(dataDir);
  }
}

/* Error codes of a rename to a folder that is not empty; EPERM on Windows. */
const TAKEN: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST', 'EPERM']);

/** False when the generation is taken. */
export function publishState(dataDir: string, generation: number, server: RedisProcess): boolean {
  const prepared = join(dataDir, 'redis', `new-${process.pid}`);
  rmSync(prepared, { recursive: true, force: true });
  mkdirSync(prepared, { recursive: true, mode: 0o700 });
  writeFileSync(join(prepared, 'state.json'), JSON.stringify(server), { mode: 0o600 });
  try {
    // The rename fails when the target is a folder that is not empty.
    renameSync(prepared, join(dataDir, 'redis', String(generation)));
  } catch (error) {
    rmSync(prepared, { recursive: true, force: true });
    if (!TAKEN.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return false;
  }
  for (const older of generations(dataDir).filter((number) => number < generation)) {
    rmSync(join(dataDir, 'redis', String(older)), { recursive: true, force: true });
  }
  return true;
}

function generations(dataDir: string): number[] {
  if (!existsSync(join(dataDir, 'redis'))) return [];
  return readdirSync(join(dataDir, 'redis'))
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function stateFile(dataDir: string, generation: number): string {
  return join(dataDir, 'redis', String(generation), 'state.json');
}
