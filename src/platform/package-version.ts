import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_DIRECTORY } from './config/config-file.js';

/** The version of the program, as its package says it. */
export function packageVersion(): string {
  const text = readFileSync(join(CONFIG_DIRECTORY, '../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
