import type { MailsondeError } from '../../client/mailsonde-error.js';
import { counted } from '../../platform/counted.js';
import { printable } from './print.js';

/** What the interface says of a field, in words of the command line: most sentences begin with the field's name. */
export function fieldText({ field, error }: { readonly field: string; readonly error: string }): string {
  const sentence = error.startsWith(`${field} `) ? error : `${field}: ${error}`;
  return sentence.replace(/^(email_column|sheet) /, (name) => `--${name.replace('_', '-')}`);
}

/** What a service refused, and why. */
export function refusalText({ code, message, requestId, retryAfterMs, details, cause }: MailsondeError): string {
  const fields = Array.isArray(details['fields']) ? (details['fields'] as { field: string; error: string }[]) : [];
  const lines = fields.map((one) => `\n  ${printable(fieldText(one))}`).join('');
  const price = priceText(details);
  const request = requestId === null ? '' : ` Request ${printable(requestId)}.`;
  const later = retryAfterMs === null ? '' : ` Try again in ${Math.ceil(retryAfterMs / 1_000)} s.`;
  const why = code === 'unreachable' && cause instanceof Error ? ` ${reasonOf(cause)}.` : '';
  const elsewhere = code === 'unreachable' ? ' MAILSONDE_SERVER or --server names another service.' : '';
  return `${printable(message)} (${printable(code)})${price}${why}${elsewhere}${later}${request}${lines}`;
}

/** How much is missing where credits are; other refusals for the price say it in their sentence. */
function priceText({ required, remaining }: Readonly<Record<string, unknown>>): string {
  if (typeof required !== 'number' || typeof remaining !== 'number') return '';
  return ` It may cost ${counted(required, 'credit')}, and ${counted(remaining, 'is', 'are')} left.`;
}

/** Node's `fetch failed` has the reason behind it. */
function reasonOf({ message, cause }: Error): string {
  return printable(cause instanceof Error && cause.message !== '' ? cause.message : message);
}
