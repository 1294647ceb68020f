import type { SmtpReply } from '../../types.js';
import type { Classification } from './classify.js';

/** SPF does not let the address send, the HELO name is not believed, or the text speaks of the client's address or its name. */
const ABOUT_US =
  /\b(?:spf|openspf|sender policy framework|helo|ehlo|ptr|rdns|reverse dns|(?:your|client|sending|connecting) (?:ip|host|server|mail server)|not (?:permitted|authorized|authorised|allowed|designated) (?:sender|to send (?:for|from|on behalf)))\b|\b\d{1,3}(?:\.\d{1,3}){3}\b/i;
/** SPF and unauthenticated mail (RFC 7372 section 3, Gmail). */
const ABOUT_US_CODES: ReadonlySet<string> = new Set(['5.7.23', '5.7.24', '5.7.26', '5.7.27']);

/**
 * The sender is refused for where it comes from, and not for how it is written or who it is: from another of our addresses, with a HELO
 * name and a sender of its own, it may be taken.
 */
export function isRefusalOfSource({ class: about }: Classification, { code, enhanced, text }: SmtpReply): boolean {
  if (about !== 'sender_rejected' || code < 500) return false;
  return (enhanced !== null && ABOUT_US_CODES.has(enhanced)) || ABOUT_US.test(text);
}
