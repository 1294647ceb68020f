import { spawnSync } from 'node:child_process';

/** Exit code where the compiler has written everything in spite of type errors. */
const TYPE_ERRORS = 2;

/** Brings `dist/` up to date, so that tests can start what users start. Costs nothing when no source has changed. */
export function buildOnce(): void {
  const build = spawnSync(process.execPath, ['build.mjs'], { encoding: 'utf8' });
  // Type errors are for `npm run typecheck` to refuse; tests show whether it works.
  if (build.status !== 0 && build.status !== TYPE_ERRORS)
    throw new Error(`The build failed:\n${build.stdout}${build.stderr}`);
}
