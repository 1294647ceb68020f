import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const BUILD_INFO = join(ROOT, 'dist/.tsbuildinfo');
const SOURCES = ['src', 'migrations'];

/** Brings `dist/` up to date, so that tests can start what users start. Costs nothing when no source has changed. */
export function buildOnce(): void {
  removeOrphans();
  if (isFresh()) return;
  const startedAt = new Date();
  const tsc = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  // 2: written in spite of type errors. They are for `npm run typecheck` to refuse; tests show whether it works.
  if (tsc.status !== 0 && tsc.status !== 2) throw new Error(`The build failed:\n${tsc.stdout}${tsc.stderr}`);
  utimesSync(BUILD_INFO, startedAt, startedAt);
}

function isFresh(): boolean {
  const built = statSync(BUILD_INFO, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const inputs = ['package.json', 'tsconfig.json', 'tsconfig.build.json', ...SOURCES.flatMap(typescriptFiles)];
  return inputs.every((file) => statSync(join(ROOT, file)).mtimeMs < built);
}

/** What was built from a file that exists no more: a migration that was renamed would run twice. */
function removeOrphans(): void {
  for (const folder of SOURCES) {
    const built = join(ROOT, 'dist', folder);
    if (!existsSync(built)) continue;
    for (const file of readdirSync(built, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.js') || existsSync(join(ROOT, folder, file.replace(/js$/, 'ts')))) continue;
      rmSync(join(built, file));
      rmSync(join(built, `${file}.map`), { force: true });
    }
  }
}

function typescriptFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => join(folder, file));
}
