import { domainToASCII } from 'node:url';
import type { ARCResult, DKIMResult } from 'mailauth';
import type { evaluateDmarc } from 'mailauth/lib/dmarc/index.js';
import { readDkimKey } from '../../../engine/domain/dkim.js';
import { checkHost } from '../../../mail-dns/check-host.js';
import { recordsOf, reverseName } from '../../../mail-dns/domain-dns.js';
import { registered } from '../../../mail-dns/registrable.js';
import { type KnownKeys, type SeenSignatures, signaturesBy } from './signatures.js';
import { type ReportDns, resolverFor } from './report-dns.js';
import { reversed } from '../../../mail-dns/targets.js';
import type { AuthenticationReply, DkimReply, DmarcReply, SpfReply, TransportReply } from './report-sections.reply.js';

/** Who handed the message over; null where nobody has said. */
export interface ReportEnvelope {
  readonly clientAddress: string | null;
  readonly clientName: string | null;
  /** Empty for a bounce. */
  readonly mailFrom: string | null;
  /** The version of TLS, `none`, or null: not known. */
  readonly tls: string | null;
}

const MAX_TEXT = 2_048;
const MAX_SIGNED = 100;

/**
 * SPF, DKIM, DMARC and ARC of a message as a receiver would find them. Nothing is fetched but DNS records, and those by `dns`.
 * @param look at the signatures of the message, with the keys that are known
 */
export async function authenticationSection(
  look: (keys: KnownKeys) => Promise<SeenSignatures>,
  envelope: ReportEnvelope,
  dns: ReportDns,
): Promise<AuthenticationReply> {
  // Loaded with the first message that is judged: commands and processes that judge none never load it (docs/adr/0045).
  const { evaluateDmarc } = await import('mailauth/lib/dmarc/index.js');
  const resolver = resolverFor(dns);
  const [spf, signatures] = await Promise.all([spfOutcome(envelope, dns), signaturesBy(look, resolver)]);
  const evaluated = await evaluateDmarc({
    headerFrom: [...signatures.headerFrom],
    fromFields: signatures.fromFields,
    spfDomains: spf?.result === 'pass' ? [spf.domain] : [],
    dkimDomains: signatures.results.filter(({ status }) => status.result === 'pass').map(passedSignature),
    arcResult: { status: { result: signatures.arc.result } } as ARCResult,
    resolver,
  });
  const isAligned = alignmentBy(evaluated);
  const dkim = signatures.results
    .filter(({ status }) => status.result !== 'none')
    .map((one) => dkimSection(one, isAligned));
  const spfShown = spf && { ...spf, aligned: spf.result === 'pass' && isAligned('spf', spf.domain) };
  const by = {
    spf: spfShown?.aligned === true,
    dkim: dkim.some(({ aligned }) => aligned),
  };
  return {
    spf: spfShown,
    dkim,
    dmarc: { ...dmarcSection(evaluated), aligned_by: (['spf', 'dkim'] as const).filter((one) => by[one]) },
    arc: signatures.arc,
  };
}

type SpfShown = Omit<SpfReply, 'aligned' | 'domain'> & { readonly domain: string };

/** By the engine's own evaluator, as every other check here. Null: no address, or no domain to ask for. */
async function spfOutcome(
  { clientAddress, clientName, mailFrom }: ReportEnvelope,
  dns: ReportDns,
): Promise<SpfShown | null> {
  if (clientAddress === null) return null;
  const helo = clientName ?? '';
  // A bounce has no sender: the name in EHLO is asked for (RFC 7208 section 2.4).
  const sender = mailFrom === null || mailFrom === '' ? `postmaster@${helo}` : mailFrom;
  const at = sender.lastIndexOf('@');
  const written = sender
    .slice(at + 1)
    .trim()
    .toLowerCase();
  if (written === '') return null;
  const domain = (domainToASCII(written) || written).slice(0, MAX_TEXT);
  const question = { address: clientAddress, domain, sender: `${sender.slice(0, Math.max(at, 0))}@${domain}`, helo };
  const { result, record, lookups } = await checkHost(question, dns);
  return { result, domain, record: textOf(record), lookups };
}

function passedSignature({ id, signingDomain: domain = '', status: { aligned, underSized } }: DKIMResult) {
  return { id, domain, aligned, underSized };
}

type Evaluated = Awaited<ReturnType<typeof evaluateDmarc>>;

/**
 * Whether what passes for a domain is of the domain of From. Where no record says how strictly, receivers compare the organizations, which
 * they know by the public suffixes.
 */
function alignmentBy({ response, dkimAligned }: Evaluated): (by: 'spf' | 'dkim', domain: string | null) => boolean {
  if (response === false || response.status.result === 'temperror') return () => false;
  const { alignment } = response;
  if (alignment !== undefined)
    return (by, domain) =>
      domain !== null &&
      (by === 'spf' ? typeof alignment.spf?.result === 'string' : dkimAligned?.has(domain.toLowerCase()) === true);
  const from = response.status.header?.from?.toLowerCase() ?? '';
  const organization = registered(from);
  return (_, domain) =>
    domain !== null &&
    (domain.toLowerCase() === from || (organization !== null && registered(domain) === organization));
}

function dkimSection(one: DKIMResult, isAligned: ReturnType<typeof alignmentBy>): DkimReply {
  const { status } = one;
  const signed = one.signingHeaders?.keys.split(':').map((name) => name.trim().toLowerCase()) ?? [];
  return {
    result: status.result,
    domain: textOf(one.signingDomain),
    selector: textOf(one.selector),
    algorithm: textOf(one.algo),
    key_bits: one.modulusLength ?? bitsIn(textOf(one.rr)),
    aligned: status.result === 'pass' && isAligned('dkim', textOf(one.signingDomain)),
    signed_headers: [...new Set(signed)].slice(0, MAX_SIGNED).map((name) => name.slice(0, MAX_TEXT)),
    covers_whole_body: (status.underSized ?? 0) === 0,
    testing: status.testing === true,
    comment: textOf(status.comment) ?? textOf(status.policy?.['dkim-rules']),
  };
}

function dmarcSection({ response, reason }: Evaluated): Omit<DmarcReply, 'aligned_by'> {
  if (response === false)
    return { result: reason ?? 'none', domain: null, policy: null, policy_domain: null, record: null };
  return {
    result: response.status.result,
    domain: textOf(response.status.header?.from),
    policy: textOf(response.policy),
    policy_domain: textOf(response.policyDomain),
    record: textOf(response.rr),
  };
}

/** The library tells nothing of a key that it finds too short. */
function bitsIn(record: string | null): number | null {
  return record === null ? null : readDkimKey('', record).bits;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_TEXT) : null;
}

const MAX_NAMES = 5;

/** How the message came; null where nobody has said from whom. */
export async function transportSection(envelope: ReportEnvelope, dns: ReportDns): Promise<TransportReply | null> {
  const { clientAddress, clientName, mailFrom, tls } = envelope;
  if (clientAddress === null) return null;
  const isV6 = clientAddress.includes(':');
  const answer = await dns.ptr(reverseName(clientAddress, reversed(clientAddress)));
  const names = recordsOf(answer).slice(0, MAX_NAMES);
  const forwards = await Promise.all(names.map((name) => (isV6 ? dns.aaaa(name) : dns.a(name))));
  const confirmed = names.find((_, index) =>
    recordsOf(forwards[index]!).some((address) => isSame(address, clientAddress)),
  );
  const isUnsaid = forwards.some(({ outcome }) => outcome === 'timeout' || outcome === 'servfail');
  return {
    client_address: clientAddress,
    reverse_name: confirmed ?? names[0] ?? null,
    forward_confirmed: names.length === 0 ? null : confirmed !== undefined ? true : isUnsaid ? null : false,
    reverse_answered: answer.outcome !== 'timeout' && answer.outcome !== 'servfail',
    helo: clientName,
    mail_from: mailFrom,
    tls,
  };
}

function isSame(one: string, other: string): boolean {
  return one === other || (one.includes(':') && reversed(one) === reversed(other));
}
