import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Check, isObject, object, WrongValue } from '../../lib/checked-json.js';
import { ConfigurationError } from './configuration-error.js';

/** The package's `config/`, found from the sources and from `dist/` alike. */
export const CONFIG_DIRECTORY = findConfigDirectory(import.meta.dirname);

function findConfigDirectory(from: string): string {
  const candidate = join(from, 'config');
  if (existsSync(join(candidate, 'key-policies.json'))) return candidate;
  if (dirname(from) === from)
    throw new ConfigurationError('config/key-policies.json', 'missing', 'a file of this package');
  return findConfigDirectory(dirname(from));
}

/**
 * Reads a JSON file whose root is an object of like rows and checks every row.
 * @throws ConfigurationError naming file, path and value.
 */
export function readRows<T>(fileName: string, row: Check<T>, directory = CONFIG_DIRECTORY): Map<string, T> {
  const where = `config/${fileName}`;
  const root = readJson(where, join(directory, fileName));
  if (!isObject(root)) throw new ConfigurationError(where, shown(root), 'an object of rows by name');
  return new Map(Object.entries(root).map(([name, plain]) => [name, checked(`${where} ${name}`, plain, row)]));
}

/** The same of a file that has a row for each of these names, and no other. */
export function readRowsOf<Name extends string, T>(
  fileName: string,
  names: readonly Name[],
  row: Check<T>,
): Readonly<Record<Name, T>> {
  const where = `config/${fileName}`;
  const rows: Check<unknown> = object(Object.fromEntries(names.map((name) => [name, row])));
  return checked(where, readJson(where, join(CONFIG_DIRECTORY, fileName)), rows as Check<Record<Name, T>>);
}

/** @throws ConfigurationError for a file that is missing or no JSON, which it calls `where` */
export function readJson(where: string, path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    // V8 shows a piece of the text, which may be a password.
    const problem = (error as Error).message
      .replaceAll(/\s+/g, ' ')
      .replace(/, (\.\.\.)?".*"(\.\.\.)? is not/, ' is not');
    throw new ConfigurationError(where, problem, 'a readable JSON file');
  }
}

const SECRET = /password|secret/i;

/** @throws ConfigurationError naming path and value; never a password */
export function checked<T>(where: string, plain: unknown, check: Check<T>): T {
  try {
    return check(plain, where);
  } catch (error) {
    if (!(error instanceof WrongValue)) throw error;
    const member = error.where.slice(error.where.lastIndexOf('.'));
    throw new ConfigurationError(error.where, SECRET.test(member) ? '***' : shown(error.value), error.allowed);
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'missing');
}

/** The version of the program, as its package says it. */
export function packageVersion(): string {
  const text = readFileSync(join(CONFIG_DIRECTORY, '../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
