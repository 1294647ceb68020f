import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Blacklist, parseBlacklists } from '../mail-dns/blacklist-row.js';
import { CONFIG_DIRECTORY } from '../platform/config/config-file.js';

/** Reads `config/blacklists.json`. @throws Error naming row and field that are wrong */
export function readBlacklists(): readonly Blacklist[] {
  return parseBlacklists(JSON.parse(readFileSync(join(CONFIG_DIRECTORY, 'blacklists.json'), 'utf8')));
}
