import { spawnSync } from 'node:child_process';

/** Vitest calls it before the first test: brings `dist/` up to date, which tests run as users do. Costs little when no source has changed. */
export function setup(): void {
  const build = spawnSync(process.execPath, ['build.mjs'], { encoding: 'utf8' });
  if (build.status !== 0) throw new Error(`The build failed:\n${build.stdout}${build.stderr}`);
}
