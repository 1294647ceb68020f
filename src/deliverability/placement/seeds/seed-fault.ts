import { AddressRefused } from '../../../platform/outbound/guarded-connector.js';

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

const MAX_SHOWN = 200;
// Controls, line separators, invisible and direction-changing characters, lone surrogates, the private planes.
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\s]+/gu;

/** A server's text on one line, short, and without the secret that it may repeat. */
export function shownText(text: string, secret: string): string | null {
  const line = text
    .slice(0, 4 * MAX_SHOWN)
    .replaceAll(secret === '' ? '\0' : secret, '***')
    .replace(UNPRINTABLE, ' ')
    .trim()
    .slice(0, MAX_SHOWN);
  return line === '' ? null : line;
}

/** What has ended a session, once something has. */
export interface SessionEnd {
  code: SeedFaultCode | null;
}

interface LibraryError {
  readonly code?: unknown;
  readonly authenticationFailed?: unknown;
  readonly tlsFailed?: unknown;
  readonly responseText?: unknown;
  readonly response?: unknown;
  readonly _err?: unknown;
}

/** Codes of the library, of sockets and of the DNS, by what they mean. */
const CODES: Partial<Record<SeedFaultCode, readonly string[]>> = {
  host_not_found: ['ENOTFOUND', 'ENODATA', 'ESERVFAIL'],
  timeout: ['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT', 'ETIMEOUT', 'ETIMEDOUT'],
  too_much_data: ['LineTooLarge', 'LiteralTooLarge', 'ResponseTooLarge', 'TooManyTokens'],
  connection_failed: [
    'NoConnection',
    'ClosedAfterConnectTLS',
    'ClosedAfterConnectText',
    'ECONNREFUSED',
    'ECONNRESET',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'EPIPE',
  ],
};
const FAULTS = Object.keys(CODES) as (keyof typeof CODES)[];

/** What no server says of itself. */
const EXPLANATIONS: Partial<Record<SeedFaultCode, string>> = {
  too_many_folders: 'the mailbox has more folders than Mailsonde reads',
};

const TLS = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|EPROTO|STARTTLS)/;

/** What an error of the library, of a socket or of the DNS means; whatever it is, it is no crash of ours. */
export function faultOf(error: unknown, end: SessionEnd, secret: string): SeedFault {
  if (error instanceof SeedFault) return error;
  if (error instanceof AddressRefused) return new SeedFault('address_refused');
  const { code, authenticationFailed, tlsFailed, responseText, response } = error as LibraryError;
  const told = [responseText, response].find((one) => typeof one === 'string');
  const text = told === undefined ? null : shownText(told, secret);
  if (authenticationFailed === true) return new SeedFault('login_refused', text);
  // What was noted first is the cause: afterwards every question only finds the connection gone.
  if (end.code !== null) return new SeedFault(end.code, EXPLANATIONS[end.code]);
  const name = typeof code === 'string' ? code : '';
  if (tlsFailed === true || TLS.test(name)) return new SeedFault('tls_failed');
  return new SeedFault(FAULTS.find((fault) => CODES[fault]?.includes(name)) ?? 'protocol_error', text);
}
