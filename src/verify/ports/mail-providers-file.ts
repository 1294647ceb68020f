import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MailProviders, parseMailProviders } from '../../engine/verification/engine.js';
import { CONFIG_DIRECTORY } from '../../platform/config/config-file.js';

let providers: MailProviders | undefined;

/** What `config/mail-providers.json` says, read once: it is the same for every engine of a process. @throws Error naming row and field that are wrong */
export function mailProviders(): MailProviders {
  return (providers ??= parseMailProviders(
    JSON.parse(readFileSync(join(CONFIG_DIRECTORY, 'mail-providers.json'), 'utf8')),
  ));
}
