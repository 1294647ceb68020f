import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MailProviders, parseMailProviders } from '../../engine/verification/engine.js';
import { CONFIG_DIRECTORY } from '../../platform/config/config-file.js';

/** Reads `config/mail-providers.json`. @throws Error naming row and field that are wrong */
export function readMailProviders(): MailProviders {
  return parseMailProviders(JSON.parse(readFileSync(join(CONFIG_DIRECTORY, 'mail-providers.json'), 'utf8')));
}
