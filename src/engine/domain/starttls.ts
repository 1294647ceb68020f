import { type Dialer, type EgressSource, type PresentedTls, WireError, type PresentedCertificate } from '../ports.js';
import type { CancelSignal } from '../../lib/semaphore.js';
import type { Clock } from '../../lib/clock.js';
import { SMTP_TIMEOUTS } from '../smtp/connect/session.js';
import { type ConnectionEnd, SmtpConnection } from '../smtp/connect/smtp-connection.js';
import { createHash } from 'node:crypto';

/** Why nothing is known of how a mail host encrypts: it is no finding. */
export type NotProbed =
  /** Nothing came back in time, or the connection broke before there was anything to judge. */
  | 'no_answer'
  /** No mail host answers this machine: its port 25 is closed. */
  | 'port25_blocked'
  /** The host does not talk to us, which says nothing of how it talks to others. */
  | 'refused_us'
  | 'not_public'
  /** Its postmaster wants no questions. */
  | 'left_alone';

/** What came of looking how a mail host encrypts. */
export type StartTlsOutcome =
  | { readonly outcome: 'encrypted'; readonly tls: PresentedTls }
  /** It greets, and offers no encryption. */
  | { readonly outcome: 'not_offered' }
  /** It offers encryption, and then there is none. */
  | { readonly outcome: 'failed'; readonly detail: string }
  | { readonly outcome: 'unknown'; readonly why: NotProbed };

export interface StartTlsTarget {
  readonly host: string;
  readonly address: string;
  readonly port: number;
  /** Our own address that asks. */
  readonly source: EgressSource;
  readonly signal: CancelSignal;
}

/** `isSilent`: nobody took the connection, as where port 25 is closed. */
export interface StartTlsAnswer {
  readonly look: StartTlsOutcome;
  readonly isSilent: boolean;
}

/** Greeting, EHLO, STARTTLS, QUIT at one address: nobody is named, and nothing is sent. Never rejects; an aborted signal ends it. */
export async function askForStartTls(
  { host, address, port, source, signal }: StartTlsTarget,
  { dialer, clock }: { readonly dialer: Dialer; readonly clock: Clock },
): Promise<StartTlsAnswer> {
  let wire;
  try {
    wire = await dialer.connect({ address, port, timeoutMs: SMTP_TIMEOUTS.connectMs, signal, source });
  } catch (error) {
    const kind = error instanceof WireError ? error.kind : 'unreachable';
    const isSilent = !signal.aborted && (kind === 'timeout' || kind === 'unreachable' || kind === 'refused');
    return { look: unknown(kind === 'refused' ? 'refused_us' : 'no_answer'), isSilent };
  }
  const connection = new SmtpConnection(wire, clock, () => {});
  const close = () => void connection.close();
  signal.addEventListener('abort', close, { once: true });
  try {
    return { look: await talk(connection, host, source.helo), isSilent: false };
  } finally {
    signal.removeEventListener('abort', close);
    await connection.close('QUIT\r\n');
  }
}

async function talk(connection: SmtpConnection, host: string, helo: string): Promise<StartTlsOutcome> {
  const banner = await connection.exchange('', 1, SMTP_TIMEOUTS.bannerMs);
  if (banner.end !== null) return ended(banner.end);
  if (banner.replies[0]!.code >= 300) return unknown('refused_us');
  const ehlo = await connection.exchange(`EHLO ${helo}\r\n`, 1, SMTP_TIMEOUTS.replyMs);
  if (ehlo.end !== null) return ended(ehlo.end);
  const { code, text } = ehlo.replies[0]!;
  // A host that does not know EHLO cannot offer anything; one that turns us away may offer it to others.
  if (code >= 300) return code === 500 || code === 502 ? { outcome: 'not_offered' } : unknown('refused_us');
  if (!text.toUpperCase().split(/\s+/).includes('STARTTLS')) return { outcome: 'not_offered' };
  const ready = await connection.exchange('STARTTLS\r\n', 1, SMTP_TIMEOUTS.replyMs);
  if (ready.end !== null) return ended(ready.end);
  const [reply] = ready.replies;
  // 454: not now (RFC 3207 section 4).
  if (reply!.code !== 220)
    return reply!.code < 500
      ? unknown('no_answer')
      : { outcome: 'failed', detail: `it answers STARTTLS with ${reply!.code}` };
  try {
    return { outcome: 'encrypted', tls: await connection.inspectTls(host, SMTP_TIMEOUTS.tlsMs) };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return /closed|given up|ECONNRESET/.test(detail) ? unknown('no_answer') : { outcome: 'failed', detail };
  }
}

function ended(end: ConnectionEnd): StartTlsOutcome {
  return unknown(end.problem === 'shutdown' ? 'refused_us' : 'no_answer');
}

function unknown(why: NotProbed): StartTlsOutcome {
  return { outcome: 'unknown', why };
}

/* DANE for mail hosts, RFC 7672: which TLSA records count, and which certificates fit them. */

export interface TlsaRecord {
  readonly usage: number;
  readonly selector: number;
  readonly matchingType: number;
  /** Hexadecimal. */
  readonly data: string;
}

const DANE_TA = 2;
const DANE_EE = 3;
const WHOLE = 0;
const SHA_256 = 1;
const SHA_512 = 2;
const DIGEST_LENGTHS: Readonly<Record<number, number>> = { [SHA_256]: 64, [SHA_512]: 128 };

/** Whether senders can use the record: those of the usages 0 and 1 count for nothing between mail hosts (section 3.1.3). */
export function isUsable({ usage, selector, matchingType, data }: TlsaRecord): boolean {
  if (usage !== DANE_TA && usage !== DANE_EE) return false;
  if (selector !== 0 && selector !== 1) return false;
  return matchingType === WHOLE ? data.length > 0 : DIGEST_LENGTHS[matchingType] === data.length;
}

/**
 * Whether what the host presents fits one of the records: its own certificate for the usage 3, one that vouches for it for the usage 2,
 * which also wants the name to fit (section 3.1.2).
 */
export function fitsTlsa(
  records: readonly TlsaRecord[],
  chain: readonly PresentedCertificate[],
  hasName: boolean,
): boolean {
  return records
    .filter(isUsable)
    .some((record) =>
      record.usage === DANE_EE
        ? chain.slice(0, 1).some((own) => fits(record, own))
        : hasName && chain.some((one) => fits(record, one)),
    );
}

function fits({ selector, matchingType, data }: TlsaRecord, certificate: PresentedCertificate): boolean {
  const digests = selector === 0 ? certificate.certificateDigests : certificate.keyDigests;
  if (digests === null) return false;
  if (matchingType === SHA_512) return digests.sha512 === data;
  // Of a whole certificate or key the digest is compared, since that is what is known of those presented.
  const digest = matchingType === WHOLE ? createHash('sha256').update(Buffer.from(data, 'hex')).digest('hex') : data;
  return digests.sha256 === digest;
}

/** As zone files write it. */
export function tlsaText({ usage, selector, matchingType, data }: TlsaRecord): string {
  return `${usage} ${selector} ${matchingType} ${data}`;
}
