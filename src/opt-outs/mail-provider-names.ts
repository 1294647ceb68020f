import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_DIRECTORY, readJson } from '../platform/config/config-file.js';
import type { LeftName } from './left-name.js';

/** The names in a row of `config/mail-providers.json`. */
interface ProviderNames {
  readonly mx: readonly string[];
  readonly domains: readonly string[];
}

/** Whether an opt-out of a name would speak for people who only have a mailbox at a provider, or have one of its customers speak for it. */
export function isOfMailProvider({ kind, name }: LeftName): boolean {
  return providerNames().some(
    (provider) => isAtOrBelow(provider, name) || (kind === 'mail_host' && isAtOrBelow(name, provider)),
  );
}

/** Read each time, since a running service takes up changed lists. */
function providerNames(): string[] {
  const path = join(CONFIG_DIRECTORY, 'mail-providers.json');
  const rows = readJson('config/mail-providers.json', path) as Readonly<Record<string, ProviderNames>>;
  const free = readFileSync(join(CONFIG_DIRECTORY, 'lists', 'free.txt'), 'utf8').split('\n');
  const providers = Object.values(rows).flatMap(({ mx, domains }) => [...mx, ...domains]);
  return [...providers, ...free.map((line) => line.replace(/#.*/, '').trim()).filter((line) => line !== '')];
}

function isAtOrBelow(name: string, parent: string): boolean {
  return name === parent || name.endsWith(`.${parent}`);
}
