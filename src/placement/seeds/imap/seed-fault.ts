/** Why a mailbox could not be read. None of these says anything about the mail that was looked for. */
export const SEED_FAULTS = [
  'address_refused',
  'host_not_found',
  'connection_failed',
  'tls_failed',
  'login_refused',
  'timeout',
  'too_much_data',
  'too_many_folders',
  'protocol_error',
  'secret_unreadable',
  'token_refused',
] as const;
export type SeedFaultCode = (typeof SEED_FAULTS)[number];

/** The mailbox could not be read; `code` says why, and `told` is what its server said, made safe to show. */
export class SeedFault extends Error {
  constructor(
    readonly code: SeedFaultCode,
    readonly told: string | null = null,
  ) {
    super(told === null ? code : `${code}: ${told}`);
    this.name = 'SeedFault';
  }
}

const MAX_TOLD = 200;
// Controls, line separators, invisible and direction-changing characters, lone surrogates, the private planes.
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\s]+/gu;

/** A server's text on one line, short, and without the secret that it may repeat. */
export function shownText(text: string, secret: string): string | null {
  const line = text
    .slice(0, 4 * MAX_TOLD)
    .replaceAll(secret === '' ? '\0' : secret, '***')
    .replace(UNPRINTABLE, ' ')
    .trim()
    .slice(0, MAX_TOLD);
  return line === '' ? null : line;
}
