import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { builtFile } from './built.js';

const ROOT = resolve(import.meta.dirname, '../..');
const POLICIES = 'key-policies.json';

export interface Installation {
  /** The path of a built file of it, such as `src/main.js`. */
  file(path: string): string;
  /** Writes its `config/key-policies.json`. */
  writePolicies(text: string): void;
  remove(): void;
}

/** What an operator has who changes `config/key-policies.json`: the built service with a file of its own. */
export function install(): Installation {
  const folder = mkdtempSync(join(tmpdir(), 'mailsonde-installed-'));
  for (const part of ['src', 'migrations', 'console'])
    cpSync(builtFile(part), join(folder, 'dist', part), { recursive: true });
  for (const part of ['package.json', 'node_modules']) symlinkSync(join(ROOT, part), join(folder, part));
  cpSync(join(ROOT, 'config'), join(folder, 'config'), { recursive: true });
  return {
    file: (path) => join(folder, 'dist', path),
    writePolicies: (text) => writeFileSync(join(folder, 'config', POLICIES), text),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** The file as it comes with the service. */
export const readPolicies = (): string => readFileSync(join(ROOT, 'config', POLICIES), 'utf8');
