import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_DIRECTORY } from '../../platform/config/config-file.js';

/** Maps consumer domains to their row of `config/mail-providers.json`, whose domains share mail hosts and caps. */
export function readOperators(): ReadonlyMap<string, string> {
  const text = readFileSync(join(CONFIG_DIRECTORY, 'mail-providers.json'), 'utf8');
  const rows = Object.entries(JSON.parse(text) as Record<string, { domains: string[] }>);
  return new Map(rows.flatMap(([name, { domains }]) => domains.map((domain) => [domain, name])));
}
