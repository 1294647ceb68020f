import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { plainToInstance, type ClassConstructor } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
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
 * Reads a JSON file whose root is an object of like rows and checks every row against a class-validator class; an unknown
 * member is refused too, since it is a misspelt known one.
 * @throws ConfigurationError naming file, path and value.
 */
export function readRows<T extends object>(
  fileName: string,
  row: ClassConstructor<T>,
  directory = CONFIG_DIRECTORY,
): Map<string, T> {
  const where = `config/${fileName}`;
  const root = readJson(where, join(directory, fileName));
  if (!isObject(root)) throw new ConfigurationError(where, shown(root), 'an object of rows by name');
  return new Map(Object.entries(root).map(([name, plain]) => [name, checked(`${where} ${name}`, plain, row)]));
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

/** An object that a class-validator class describes. @throws ConfigurationError naming path and value */
export function checked<T extends object>(where: string, plain: unknown, row: ClassConstructor<T>): T {
  if (!isObject(plain)) throw new ConfigurationError(where, shown(plain), 'an object');
  const instance = plainToInstance(row, plain);
  const [wrong] = validateSync(instance, { whitelist: true, forbidNonWhitelisted: true });
  if (wrong) throw refusal(where, wrong);
  return instance;
}

const SECRET = /password|secret/i;

function refusal(where: string, { property, value, constraints, children }: ValidationError): ConfigurationError {
  const path = /^\d+$/.test(property) ? `${where}[${property}]` : `${where}.${property}`;
  const inner = children?.[0];
  if (!constraints && inner) return refusal(path, inner);
  const allowed = constraints?.['whitelistValidation']
    ? 'nothing: there is no such member'
    : Object.values(constraints ?? {})[0];
  return new ConfigurationError(path, SECRET.test(property) ? '***' : shown(value), allowed ?? 'another value');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'missing');
}

/** The version of the program, as its package says it. */
export function packageVersion(): string {
  const text = readFileSync(join(CONFIG_DIRECTORY, '../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
