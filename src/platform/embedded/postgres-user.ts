import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';

/** Whom a server runs as; empty for ourselves. */
export interface ServerUser {
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * Initdb and postgres refuse to run as root; root lends them the user `postgres`, or else `nobody`. A data directory that
 * exists keeps its owner, whoever has been added to the machine since.
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

/** Runs to the end, away from our working directory, which the user may not be allowed to enter. */
export function runAs(user: ServerUser, command: string, args: readonly string[]): { ok: boolean; output: string } {
  const done = spawnSync(command, args, { ...user, cwd: '/', env: SERVER_ENV, encoding: 'utf8' });
  return { ok: done.status === 0, output: `${done.error?.message ?? ''}${done.stdout ?? ''}${done.stderr ?? ''}` };
}

/** May the user enter this folder? Asked of the kernel, so that every parent, ACLs and mount options count too. */
export function mayEnter(user: ServerUser, folder: string): boolean {
  return user.uid === undefined || runAs(user, 'test', ['-x', folder]).ok;
}

/** Nothing of ours: PGPORT, PGOPTIONS and their like would change what a server does. */
export const SERVER_ENV = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' };
