import type { EgressSources } from '../../egress/egress-sources.js';
import type { Env } from '../../platform/config/env.js';
import type { Introduction } from './about-page.js';

/** @param sources all of the installation @param canMail a link can be mailed */
export function introductionOf(
  env: Pick<Env, 'publicUrl' | 'mailFrom'>,
  { all: sources }: EgressSources,
  canMail: boolean,
): Introduction {
  const heloNames = [...new Set(sources.map(({ helo }) => helo))];
  const [heloName] = heloNames as [string];
  const domain = env.mailFrom === null ? heloName : env.mailFrom.slice(env.mailFrom.lastIndexOf('@') + 1);
  // RFC 5321 section 4.5.1: every domain that takes mail has a postmaster.
  return { publicUrl: env.publicUrl, heloNames, contact: `postmaster@${domain.toLowerCase()}`, canMail };
}
