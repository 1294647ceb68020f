import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDomain } from '../../engine/syntax/domain.js';
import { registrable } from '../../mail-dns/registrable.js';
import { CONFIG_DIRECTORY, readJson } from '../../platform/config/config-file.js';

/** What may be left alone: a mail domain, or hosts that take mail for domains. */
export const OPT_OUT_KINDS = ['domain', 'mail_host'] as const;
export type OptOutKind = (typeof OPT_OUT_KINDS)[number];

/** A domain may get another owner, who knows nothing of an opt-out: it ends unless somebody renews it. */
export const MAX_OPT_OUT_DAYS = 400;

/** A name that is left alone, with all names below it. */
export interface OptOutSubject {
  readonly kind: OptOutKind;
  /** In lower case and A-labels. */
  readonly name: string;
}

/** A domain or mail host that has opted out. */
export interface OptOut extends OptOutSubject {
  readonly id: string;
  readonly reason: string;
  /** An administrator, or the postmaster. */
  readonly madeBy: string;
  readonly madeAt: Date;
  readonly endsAt: Date;
}

/** The form in which names are compared; null for a text that is no name below a public suffix, for which nobody could speak. */
export function comparedName(text: string): string | null {
  const parsed = parseDomain(text.trim());
  if (typeof parsed === 'string' || parsed.literal !== null || parsed.neverResolves) return null;
  const child = `x.${parsed.text}`;
  // A public suffix has nothing registered below it but the whole child.
  return registrable(child) === child ? null : parsed.text;
}

/** The names in a row of `config/mail-providers.json`. */
interface ProviderNames {
  readonly mx: readonly string[];
  readonly domains: readonly string[];
}

/** Whether an opt-out of a name would speak for people who only have a mailbox at a provider, or have one of its customers speak for it. */
export function isOfMailProvider({ kind, name }: OptOutSubject): boolean {
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
