import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { foreignFiles, openFiles } from './data-directory.js';
import {
  makeReachableHome,
  mayEnter,
  type PostgresBinaries,
  postgresUser,
  REACHABLE_HOME,
  runAs,
  type ServerUser,
} from './postgres-binaries.js';
import { commandOf } from './processes.js';

export const SUPERUSER = 'mailsonde';

/** `<dataDir>/postgres`: the data, the password and the log of one server, kept between runs. */
export interface PostgresHome {
  readonly data: string;
  readonly log: string;
  readonly password: string;
}

/** The home that exists already, or null. */
export function findHome(dataDir: string): PostgresHome | null {
  const link = join(dataDir, 'postgres');
  if (!existsSync(link)) return null;
  const folder = realpathSync(link);
  return {
    data: join(folder, 'data'),
    log: join(folder, 'server.log'),
    password: readFileSync(join(folder, 'password'), 'utf8').trim(),
  };
}

/** Bits that PostgreSQL wants set in the mode of its data, and those that it wants to be clear. */
const [OWNERS_ALL, OTHERS_MORE] = [0o700, 0o027];

/**
 * PostgreSQL refuses data that belongs to another user, such as a copy that root made, and data that others may write or read, such as a
 * copy that did not keep its mode.
 * @throws ConfigurationError
 */
export function checkHome(dataDir: string): void {
  const home = findHome(realpathSync(dataDir));
  if (home === null || process.getuid === undefined) return;
  const isRoot = process.getuid() === 0;
  const user = isRoot ? postgresUser(home.data) : { uid: process.getuid(), gid: process.getgid!() };
  const { uid, mode } = statSync(home.data);
  if (uid !== user.uid) {
    const remedy = `${isRoot ? '' : 'sudo '}chown -R ${user.uid}:${user.gid} ${dirname(home.data)}`;
    throw foreignFiles(dataDir, home.data, remedy);
  }
  if ((mode & OWNERS_ALL) !== OWNERS_ALL || (mode & OTHERS_MORE) !== 0) throw openFiles(dataDir, home.data, mode);
}

/**
 * Makes the home in one step: everything is prepared beside it and then renamed into place, so that a kill leaves nothing
 * half made, and of two copies of the service one wins and the other uses what is there.
 *
 * When the server's user cannot enter `dataDir`, the home is made in `REACHABLE_HOME` and linked from there.
 */
export function makeHome(dataDir: string, user: ServerUser, binaries: PostgresBinaries): PostgresHome {
  const home = join(dataDir, 'postgres');
  removeLeftovers(dataDir);
  if (lstatSync(home, { throwIfNoEntry: false })?.isSymbolicLink()) unlinkSync(home); // Its target is gone.
  const reachable = mayEnter(user, dataDir);
  const prepared = reachable ? preparedBeside(home) : preparedElsewhere();
  fill(prepared, user, binaries);
  try {
    if (reachable) renameSync(prepared, home);
    else symlinkSync(prepared, home);
  } catch (error) {
    rmSync(prepared, { recursive: true, force: true });
    if (!existsSync(home)) throw error;
  }
  return findHome(dataDir)!;
}

function preparedBeside(home: string): string {
  const folder = `${home}.new-${process.pid}`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

function preparedElsewhere(): string {
  makeReachableHome();
  return mkdtempSync(join(REACHABLE_HOME, 'postgres-'));
}

/** Removes the folders of copies that were killed while they prepared. */
function removeLeftovers(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    const pid = /^postgres\.new-(\d+)$/.exec(name)?.[1];
    if (pid && commandOf(Number(pid)) === '') rmSync(join(dataDir, name), { recursive: true, force: true });
  }
}

function fill(folder: string, user: ServerUser, binaries: PostgresBinaries): void {
  const password = join(folder, 'password');
  writeFileSync(password, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 });
  if (user.uid !== undefined) for (const path of [folder, password]) chownSync(path, user.uid, user.gid!);
  const options = [
    `--pgdata=${join(folder, 'data')}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${password}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Sorted by code point and the same on every machine, yet lower() knows all letters.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ];
  const made = runAs(user, binaries.initdb, options);
  if (made.ok) return;
  rmSync(folder, { recursive: true, force: true });
  throw new Error(`PostgreSQL's data directory could not be made: ${made.output}`);
}
