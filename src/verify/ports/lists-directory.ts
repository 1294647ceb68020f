import { hash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Periodic } from '../../lib/periodic.js';
import { SYSTEM_TIMER } from '../../platform/clock.js';
import { CONFIG_DIRECTORY } from '../../platform/config/config-file.js';

/** The files of the lists. */
const FILE_NAMES = {
  disposable: 'disposable.txt',
  free: 'free.txt',
  role: 'role.txt',
  privacyRelays: 'privacy-relays.txt',
  neverDisposable: 'never-disposable.txt',
  spamTraps: 'spam-traps.txt',
  disposableMailHosts: 'disposable-mail-hosts.txt',
  sharedMailHosts: 'shared-mail-hosts.txt',
} as const;

/** The texts of a lists directory's files, as the engine takes them. */
export type ListTexts = Readonly<Record<keyof typeof FILE_NAMES, string>>;

interface ListsDirectoryOptions<Snapshot> {
  readonly directory: string;
  /** Makes a snapshot of the texts, or throws an Error that says which line of which file is wrong. */
  readonly build: (texts: ListTexts) => Snapshot;
  /** Called with one line, once a problem, when changed files cannot be used; the earlier snapshot stays in use. */
  readonly onProblem: (line: string) => void;
  /** Milliseconds between looks at the files; eight `stat` calls each. */
  readonly pollMs?: number;
}

export interface ListsDirectory<Snapshot> {
  current(): Snapshot;
  /** Looks at the files now. Resolves to whether there is a new snapshot; never rejects. */
  refreshIfChanged(): Promise<boolean>;
  /** Stops looking; `current` stays. */
  close(): void;
}

const POLL_MS = 30_000;

/**
 * The lists in a directory, read again when a file's time or size changes, so that a running service needs no restart. A poll,
 * because file watchers miss what happens on network and overlay file systems and in replaced directories.
 * @throws Error when the files cannot be read or used at first: a start without lists would be silently worse.
 */
export async function openListsDirectory<Snapshot>({
  directory,
  build,
  onProblem,
  pollMs = POLL_MS,
}: ListsDirectoryOptions<Snapshot>): Promise<ListsDirectory<Snapshot>> {
  const files = Object.entries(FILE_NAMES).map(([list, name]) => ({ list, path: join(directory, name) }));

  const stateOfFiles = async (): Promise<string> => {
    const stats = await Promise.all(files.map(({ path }) => stat(path)));
    return stats.map(({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`).join();
  };
  const read = async (): Promise<Snapshot> => {
    const texts = await Promise.all(files.map(async ({ list, path }) => [list, await readFile(path, 'utf8')] as const));
    return build(Object.fromEntries(texts) as ListTexts);
  };

  // The state is taken before the texts: a file written in between differs at the next look and is read again.
  let seen = await stateOfFiles();
  let snapshot = await read();
  let lastProblem = '';
  let looking: Promise<boolean> | null = null;

  const look = async (): Promise<boolean> => {
    try {
      const state = await stateOfFiles();
      const changed = state !== seen;
      if (changed) snapshot = await read();
      seen = state;
      lastProblem = '';
      return changed;
    } catch (error) {
      const problem = `lists not reloaded, the ones before stay: ${(error as Error).message.replaceAll(/\s+/g, ' ')}`;
      if (problem !== lastProblem) onProblem(problem);
      lastProblem = problem;
      return false;
    }
  };
  const refreshIfChanged = (): Promise<boolean> => {
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  };

  const looks = new Periodic(refreshIfChanged, {
    everyMs: pollMs,
    firstAfterMs: pollMs,
    timer: SYSTEM_TIMER,
    onError: () => {}, // A look never rejects.
  });
  looks.start();
  return { current: () => snapshot, refreshIfChanged, close: () => void looks.stop() };
}

/** A list of `config/lists/`, as it stands on this machine. */
export interface ListOverview {
  /** Its file, such as `disposable.txt`. */
  readonly file: string;
  readonly entries: number;
  /** The beginning of the SHA-256 of its bytes: processes with the same one have the same list. */
  readonly version: string;
  /** The day on which it was built, as its head says; null for a list that is kept by hand. */
  readonly builtOn: string | null;
  readonly changedAt: Date;
}

const VERSION_DIGITS = 12;
const BUILT = /^# Built (\d{4}-\d\d-\d\d)\b/m;

/** The lists by which domains and addresses are judged; running processes read a changed one within half a minute. */
export function readListOverviews(): Promise<ListOverview[]> {
  return Promise.all(
    Object.values(FILE_NAMES).map(async (file): Promise<ListOverview> => {
      const path = join(CONFIG_DIRECTORY, 'lists', file);
      const [bytes, { mtime }] = await Promise.all([readFile(path), stat(path)]);
      const text = bytes.toString();
      return {
        file,
        entries: text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#')).length,
        version: hash('sha256', bytes, 'hex').slice(0, VERSION_DIGITS),
        builtOn: BUILT.exec(text)?.[1] ?? null,
        changedAt: mtime,
      };
    }),
  );
}
