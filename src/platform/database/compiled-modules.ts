import { readdirSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** `src` (or `dist/src`) and the `migrations` beside it, for every location of this file. */
const SOURCE_ROOT = resolve(import.meta.dirname, '../..');
const MIGRATIONS = resolve(SOURCE_ROOT, '../migrations');

/** The extension of the running files: `.js` when built, `.ts` under vitest. */
const EXTENSION = extname(import.meta.filename);

type Class = new (...args: never[]) => unknown;

let entities: Promise<Class[]> | undefined;
let migrations: Promise<Class[]> | undefined;

/** Every class exported by a `*.entity` file of any room, looked for once a process. */
export function loadEntities(): Promise<Class[]> {
  return (entities ??= exportedClasses(SOURCE_ROOT, `.entity${EXTENSION}`));
}

/** Every migration, in the order of the 13 digits its file name starts with; looked for once a process. */
export function loadMigrations(): Promise<Class[]> {
  return (migrations ??= exportedClasses(MIGRATIONS, EXTENSION));
}

// TypeORM could take glob patterns, but it would import them itself, past vitest, which alone can load TypeScript here.
async function exportedClasses(folder: string, ending: string): Promise<Class[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending) && !file.endsWith('.d.ts'))
    .sort();
  const modules: object[] = await Promise.all(files.map((file) => import(pathToFileURL(join(folder, file)).href)));
  return modules.flatMap((module) => Object.values(module)).filter((value) => typeof value === 'function');
}
