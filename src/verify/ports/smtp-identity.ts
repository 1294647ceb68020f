import { hostname } from 'node:os';
import type { EgressSource } from '../../engine/ports.js';
import type { Env } from '../../platform/config/env.js';

/** How we introduce ourselves to mail hosts. */
export interface ConfiguredIdentity {
  readonly heloName: string;
  /** Empty: the null sender. */
  readonly mailFrom: string;
  /** Port of the mail hosts. */
  readonly port: number;
}

/** Sources in one line of the log. */
const MAX_SHOWN = 20;

type IdentityVariables = Pick<Env, 'heloName' | 'mailFrom' | 'smtpPort'>;

/** The identity with its defaults for variables that are not set: this machine's own name, and the null sender. */
export function identityOf({ heloName, mailFrom, smtpPort }: IdentityVariables): ConfiguredIdentity {
  return { heloName: heloName ?? hostname(), mailFrom: mailFrom ?? '', port: smtpPort };
}

/**
 * One line for the start: how we introduce ourselves, and the command that checks it. The line needs no connection.
 * @param sources those of `EGRESS_FILE` that this process uses; without one `HELO_NAME` and `MAIL_FROM` are ours
 */
export function identityLine(env: IdentityVariables, sources: readonly Pick<EgressSource, 'name' | 'helo'>[]): string {
  if (sources.length > 0) {
    const shown = sources.slice(0, MAX_SHOWN).map(({ name, helo }) => `${name} (${helo})`);
    const others = sources.length > MAX_SHOWN ? ` and ${sources.length - MAX_SHOWN} others` : '';
    return `Mail hosts are asked from ${shown.join(', ')}${others}: "npm run doctor" checks them.`;
  }
  const { heloName, mailFrom } = identityOf(env);
  const missing = [...(env.heloName === null ? ['HELO_NAME'] : []), ...(env.mailFrom === null ? ['MAIL_FROM'] : [])];
  const advice = missing.length > 0 ? `${missing.join(' and ')} not set; ` : '';
  return `Mail hosts are greeted as ${heloName}, from <${mailFrom}>: ${advice}"npm run doctor" checks it.`;
}
