import { hash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CONFIG_DIRECTORY } from '../../platform/config/config-file.js';
import { FILE_NAMES } from './lists-directory.js';

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
