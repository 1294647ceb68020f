import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';

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
