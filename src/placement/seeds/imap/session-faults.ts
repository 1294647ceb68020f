import { AddressRefused } from '../../../platform/outbound/guarded-connector.js';
import { SeedFault, type SeedFaultCode, shownText } from './seed-fault.js';

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

const CODES: Readonly<Record<string, SeedFaultCode>> = {
  ENOTFOUND: 'host_not_found',
  ENODATA: 'host_not_found',
  ESERVFAIL: 'host_not_found',
  CONNECT_TIMEOUT: 'timeout',
  GREETING_TIMEOUT: 'timeout',
  UPGRADE_TIMEOUT: 'timeout',
  ETIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  LineTooLarge: 'too_much_data',
  LiteralTooLarge: 'too_much_data',
  ResponseTooLarge: 'too_much_data',
  TooManyTokens: 'too_much_data',
  NoConnection: 'connection_failed',
  ClosedAfterConnectTLS: 'connection_failed',
  ClosedAfterConnectText: 'connection_failed',
  ECONNREFUSED: 'connection_failed',
  ECONNRESET: 'connection_failed',
  EHOSTUNREACH: 'connection_failed',
  ENETUNREACH: 'connection_failed',
  EPIPE: 'connection_failed',
};

/** What no server says of itself. */
const WORDS: Partial<Record<SeedFaultCode, string>> = {
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
  if (end.code !== null) return new SeedFault(end.code, WORDS[end.code]);
  const name = typeof code === 'string' ? code : '';
  if (tlsFailed === true || TLS.test(name)) return new SeedFault('tls_failed');
  return new SeedFault(CODES[name] ?? 'protocol_error', text);
}
