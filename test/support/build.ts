import { spawnSync } from 'node:child_process';

/** Brings `dist/` up to date, so that tests can start what users start. Costs nothing when no source has changed. */
export function buildOnce(): void {
  const build = spawnSync(process.execPath, ['build.mjs'], { encoding: 'utf8' });
  if (build.status !== 0) throw new Error(`The build failed:\n${build.stdout}${build.stderr}`);
}
