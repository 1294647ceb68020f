import { hostname } from 'node:os';
import type { Env } from '../../platform/config/env.js';
import type { Introduction } from './about-page.js';

/** @param canMail a link can be mailed */
export function introductionOf(env: Pick<Env, 'publicUrl' | 'heloName' | 'mailFrom'>, canMail: boolean): Introduction {
  const heloName = env.heloName ?? hostname();
  const domain = env.mailFrom === null ? heloName : env.mailFrom.slice(env.mailFrom.lastIndexOf('@') + 1);
  // RFC 5321 section 4.5.1: every domain that takes mail has a postmaster.
  return { publicUrl: env.publicUrl, heloNames: [heloName], contact: `postmaster@${domain.toLowerCase()}`, canMail };
}
