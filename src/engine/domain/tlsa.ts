import type { PresentedCertificate } from '../ports.js';
import { createHash } from 'node:crypto';

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
