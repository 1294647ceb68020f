import { hostname } from 'node:os';
import type { Env } from '../../platform/config/env.js';

/** How we introduce ourselves to mail hosts. */
export interface ConfiguredIdentity {
  readonly heloName: string;
  /** Empty: the null sender. */
  readonly mailFrom: string;
  /** Port of the mail hosts. */
  readonly port: number;
}

type IdentityVariables = Pick<Env, 'heloName' | 'mailFrom' | 'smtpPort'>;

/** The identity with its defaults for variables that are not set: this machine's own name, and the null sender. */
export function identityOf({ heloName, mailFrom, smtpPort }: IdentityVariables): ConfiguredIdentity {
  return { heloName: heloName ?? hostname(), mailFrom: mailFrom ?? '', port: smtpPort };
}

/** One line for the start: the configured identity, and the command that checks it. The line needs no connection. */
export function identityLine(env: IdentityVariables): string {
  const { heloName, mailFrom } = identityOf(env);
  const missing = [...(env.heloName === null ? ['HELO_NAME'] : []), ...(env.mailFrom === null ? ['MAIL_FROM'] : [])];
  const advice = missing.length > 0 ? `${missing.join(' and ')} not set; ` : '';
  return `Mail hosts are greeted as ${heloName}, from <${mailFrom}>: ${advice}"npm run doctor" checks it.`;
}
