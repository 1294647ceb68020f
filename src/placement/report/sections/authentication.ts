import type { AuthenticateResult, DKIMResult } from 'mailauth';
import { loadMailauth } from '../load-mailauth.js';
import { mailPieces } from '../message/mail-pieces.js';
import type { ReadMessage } from '../message/read-message.js';
import { type ReportDns, resolverFor } from '../report-dns.js';

/** Who handed the message over; null where nobody has said. */
export interface ReportEnvelope {
  readonly clientAddress: string | null;
  readonly clientName: string | null;
  /** Empty for a bounce. */
  readonly mailFrom: string | null;
  /** The version of TLS, `none`, or null: not known. */
  readonly tls: string | null;
}

export interface SpfSection {
  readonly result: string;
  readonly domain: string | null;
  readonly record: string | null;
  readonly lookups: number | null;
  readonly aligned: boolean;
}

export interface DkimSection {
  readonly result: string;
  readonly domain: string | null;
  readonly selector: string | null;
  readonly algorithm: string | null;
  readonly key_bits: number | null;
  readonly aligned: boolean;
  readonly signed_headers: readonly string[];
  readonly covers_whole_body: boolean;
  readonly testing: boolean;
  readonly comment: string | null;
}

export interface DmarcSection {
  readonly result: string;
  readonly domain: string | null;
  readonly policy: string | null;
  readonly policy_domain: string | null;
  readonly record: string | null;
  readonly aligned_by: readonly ('spf' | 'dkim')[];
}

export interface AuthenticationSection {
  /** Null: no address and no domain to ask for. */
  readonly spf: SpfSection | null;
  readonly dkim: readonly DkimSection[];
  readonly dmarc: DmarcSection;
  readonly arc: { readonly result: string; readonly instances: number };
}

const MAX_TEXT = 2_048;
const MAX_SIGNED = 100;
/** mailauth's name for us where it writes headers, which nobody reads. */
const OUR_NAME = 'mailsonde';

/** SPF, DKIM, DMARC and ARC of a message as a receiver would find them. Nothing is fetched but DNS records, and those by `dns`. */
export async function authenticationSection(
  { judged }: Pick<ReadMessage, 'judged'>,
  envelope: ReportEnvelope,
  dns: ReportDns,
): Promise<AuthenticationSection> {
  const authenticate = await loadMailauth();
  const { clientAddress, clientName, mailFrom } = envelope;
  const result = await authenticate(mailPieces(judged), {
    resolver: resolverFor(dns),
    disableBimi: true,
    trustReceived: false,
    mta: OUR_NAME,
    ...(clientAddress !== null && { ip: clientAddress }),
    ...(clientName !== null && clientName !== '' && { helo: clientName }),
    sender: mailFrom ?? '',
  });
  return {
    spf: clientAddress === null ? null : spfSection(result),
    dkim: result.dkim.results.filter(({ status }) => status.result !== 'none').map(dkimSection),
    dmarc: dmarcSection(result),
    arc: arcSection(result),
  };
}

function spfSection({ spf, dmarc }: AuthenticateResult): SpfSection | null {
  if (spf === false) return null;
  return {
    result: spf.status.result,
    domain: textOf(spf.domain),
    record: textOf(spf.rr),
    lookups: spf.lookups?.count ?? null,
    aligned: dmarc !== false && typeof dmarc.alignment?.spf?.result === 'string',
  };
}

function dkimSection(one: DKIMResult): DkimSection {
  const { status } = one;
  const signed = one.signingHeaders?.keys.split(':').map((name) => name.trim().toLowerCase()) ?? [];
  return {
    result: status.result,
    domain: textOf(one.signingDomain),
    selector: textOf(one.selector),
    algorithm: textOf(one.algo),
    key_bits: one.modulusLength ?? null,
    aligned: status.result === 'pass' && typeof status.aligned === 'string',
    signed_headers: [...new Set(signed)].slice(0, MAX_SIGNED).map((name) => name.slice(0, MAX_TEXT)),
    covers_whole_body: (status.underSized ?? 0) === 0,
    testing: status.testing === true,
    comment: textOf(status.comment),
  };
}

function dmarcSection({ dmarc, dmarcSkipReason }: AuthenticateResult): DmarcSection {
  if (dmarc === false)
    return {
      result: dmarcSkipReason ?? 'none',
      domain: null,
      policy: null,
      policy_domain: null,
      record: null,
      aligned_by: [],
    };
  const { spf, dkim } = dmarc.alignment ?? {};
  return {
    result: dmarc.status.result,
    domain: textOf(dmarc.status.header?.from),
    policy: textOf(dmarc.policy),
    policy_domain: textOf(dmarc.policyDomain),
    record: textOf(dmarc.rr),
    aligned_by: [
      ...(typeof spf?.result === 'string' ? (['spf'] as const) : []),
      ...(typeof dkim?.result === 'string' ? (['dkim'] as const) : []),
    ],
  };
}

function arcSection({ arc }: AuthenticateResult): AuthenticationSection['arc'] {
  if (arc === false) return { result: 'none', instances: 0 };
  return { result: arc.status.result, instances: arc.i === false ? 0 : arc.i };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_TEXT) : null;
}
