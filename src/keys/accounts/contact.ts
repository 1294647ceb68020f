import { isEmail, isURL } from 'class-validator';
import { isStorable } from '../../platform/http/fields.js';

export const NO_CONTACT = 'contact must be an email address or a URL such as https://example.com/contact';

/** Whether the operator of an agent can be written to there: an address, or a page on the web. */
export function isContact(value: unknown): boolean {
  // The library encodes URLs, which throws on halves of surrogate pairs.
  return typeof value === 'string' && isStorable(value) && (isEmail(value) || isURL(value, WEB));
}

/** Whether somebody can be written to there by mail. */
export function isContactAddress(value: unknown): boolean {
  return typeof value === 'string' && isStorable(value) && isEmail(value);
}

const WEB = { protocols: ['http', 'https'], require_protocol: true, require_valid_protocol: true };
