import { parseDomain } from '../engine/syntax/domain.js';
import { registrable } from '../mail-dns/registrable.js';

/** What may be left alone: a mail domain, or hosts that take mail for domains. */
export const LEFT_KINDS = ['domain', 'mail_host'] as const;
export type LeftKind = (typeof LEFT_KINDS)[number];

/** A domain may get another owner, who knows nothing of an opt-out: it ends unless somebody renews it. */
export const MAX_OPT_OUT_DAYS = 400;

/** A name that is left alone, with all names below it. */
export interface LeftName {
  readonly kind: LeftKind;
  /** In lower case and A-labels. */
  readonly name: string;
}

/** The form in which names are compared; null for a text that is no name below a public suffix, for which nobody could speak. */
export function comparedName(text: string): string | null {
  const parsed = parseDomain(text.trim());
  if (typeof parsed === 'string' || parsed.literal !== null || parsed.neverResolves) return null;
  const child = `x.${parsed.text}`;
  // A public suffix has nothing registered below it but the whole child.
  return registrable(child) === child ? null : parsed.text;
}
