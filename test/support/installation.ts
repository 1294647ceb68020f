import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { builtFile } from './built.js';

const ROOT = resolve(import.meta.dirname, '../..');

export interface Installation {
  /** The path of a built file of it, such as `src/main.js`. */
  file(path: string): string;
  /** Writes a file of its `config/`, such as `key-policies.json`. */
  writeConfig(name: string, text: string): void;
  remove(): void;
}

/** What an operator has who changes a file of `config/`: the built service with files of its own. */
export function install(): Installation {
  const folder = mkdtempSync(join(tmpdir(), 'mailsonde-installed-'));
  for (const part of ['src', 'migrations', 'console'])
    cpSync(builtFile(part), join(folder, 'dist', part), { recursive: true });
  for (const part of ['package.json', 'node_modules']) symlinkSync(join(ROOT, part), join(folder, part));
  cpSync(join(ROOT, 'config'), join(folder, 'config'), { recursive: true });
  return {
    file: (path) => join(folder, 'dist', path),
    writeConfig: (name, text) => writeFileSync(join(folder, 'config', name), text),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** A file of `config/` as it comes with the service. */
export const readConfig = (name: string): string => readFileSync(join(ROOT, 'config', name), 'utf8');
