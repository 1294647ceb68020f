import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_DIRECTORY } from '../../platform/config/config-file.js';

/** Consumer domains to the row of `config/mail-providers.json` that has them: they share mail hosts and caps. */
export function readOperators(): ReadonlyMap<string, string> {
  const text = readFileSync(join(CONFIG_DIRECTORY, 'mail-providers.json'), 'utf8');
  const rows = Object.entries(JSON.parse(text) as Record<string, { domains: string[] }>);
  return new Map(rows.flatMap(([name, { domains }]) => domains.map((domain) => [domain, name])));
}
