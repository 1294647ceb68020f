import { type DomainState, stateOf } from '../engine/domain/domain-state.js';
import type { ExaminedDomain } from '../engine/domain/judges/judge-domain.js';
import type { DomainFacts } from '../engine/domain/facts.js';
import type { DomainFinding, FindingArea } from '../engine/domain/finding.js';
import type { RegistrationLook } from '../engine/domain/registration.js';
import type { SpfNode, SpfProblem } from '../mail-dns/spf-tree.js';
import { type StartTlsLook, tlsaText } from '../engine/domain/starttls.js';

/** A record that was found. */
export interface FoundRecord {
  readonly area: FindingArea;
  /** With a dot at its end, as name servers write it. */
  readonly name: string;
  readonly type: 'MX' | 'NS' | 'PTR' | 'TXT' | 'TLSA';
  readonly value: string;
}

/** How a mail host encrypts. */
interface ShownEncryption {
  readonly host: string;
  readonly outcome: StartTlsLook['outcome'];
  /** Why nothing is known, or what failed. */
  readonly why: string | null;
  readonly protocol: string | null;
  readonly names: readonly string[];
  readonly issuer: string | null;
  readonly expires_at: string | null;
  readonly is_trusted: boolean | null;
}

/** The logo that receivers may show, and the certificate that says whose it is. */
interface ShownMark {
  /** Where the record stands. */
  readonly name: string;
  readonly logo_url: string | null;
  /** Null: not fetched. */
  readonly logo: 'found' | 'failed' | 'unknown' | null;
  readonly certificate_url: string | null;
  readonly certificate: 'found' | 'failed' | 'unknown' | null;
  readonly certificate_expires_at: string | null;
}

/** What the registry says. */
interface ShownRegistration {
  readonly status: RegistrationLook['outcome'];
  /** Why nothing is known. */
  readonly why: string | null;
  readonly domain: string | null;
  readonly expires_at: string | null;
  readonly statuses: readonly string[];
  readonly registrar: string | null;
  readonly name_servers: readonly string[];
}

/** A term of the SPF record, or of one that it includes, that asks the DNS. */
export interface SpfTerm {
  /** 0 in the domain's own record, one more for each record on the way. */
  readonly depth: number;
  readonly term: string;
  readonly domain: string;
  /** Of this term and of everything below it. */
  readonly lookups: number;
  /** The name that it asks for does not exist. */
  readonly void: boolean;
  readonly problem: SpfProblem | null;
}

/** What came of a check, as it is answered and kept. */
export interface DomainResult {
  readonly state: DomainState;
  readonly counts: Readonly<Record<'critical' | 'warning' | 'info', number>>;
  readonly findings: readonly DomainFinding[];
  readonly records: readonly FoundRecord[];
  readonly spf_lookups: number;
  readonly spf_terms: readonly SpfTerm[];
  readonly dnssec: DomainFacts['dnssec'];
  readonly starttls: readonly ShownEncryption[];
  /** Null: nobody was asked. */
  readonly registration: ShownRegistration | null;
  /** Null: there is no record, or nobody asked. */
  readonly bimi: ShownMark | null;
  readonly unanswered: readonly string[];
  /** Areas that may be worse than they look; those that were kept before it was written down do not have it. */
  readonly unknown_areas?: readonly FindingArea[];
}

/** Others publish what stands in a result, and may publish much: nobody reads more of it than this. */
const MAX_CHARACTERS = 4_096;
const MAX_ITEMS = 100;

/** @param areas only these; null: all */
export function domainResult(
  { facts, findings }: ExaminedDomain,
  areas: ReadonlySet<FindingArea> | null,
): DomainResult {
  const isWanted = ({ area }: { readonly area: FindingArea }) => areas === null || areas.has(area);
  const wanted = findings.filter(isWanted);
  const silent = facts.unanswered.filter(isWanted);
  const count = (severity: DomainFinding['severity']) => wanted.filter((one) => one.severity === severity).length;
  const counts = { critical: count('critical'), warning: count('warning'), info: count('info') };
  return {
    state: stateOf(facts, findings, areas),
    counts,
    findings: shown(wanted) as readonly DomainFinding[],
    records: shown(recordsIn(facts).filter(isWanted)) as readonly FoundRecord[],
    spf_lookups: facts.spf.lookups,
    spf_terms: areas === null || areas.has('spf') ? (shown(termsBelow(facts.spf.root)) as readonly SpfTerm[]) : [],
    dnssec: facts.dnssec,
    starttls: shown(encryptionOf(facts).filter(() => isWanted({ area: 'starttls' }))) as readonly ShownEncryption[],
    registration: isWanted({ area: 'registration' })
      ? (shown(registrationOf(facts)) as ShownRegistration | null)
      : null,
    bimi: isWanted({ area: 'bimi' }) ? (shown(markOf(facts)) as ShownMark | null) : null,
    unanswered: shown([...new Set(silent.map(({ name }) => name))]) as readonly string[],
    unknown_areas: [...new Set(silent.filter(({ isOpen }) => isOpen).map(({ area }) => area))],
  };
}

/** What a check has come to, for its price: of a domain that does not exist there was nothing to check. */
export function outcomeOf({ isMissing }: DomainFacts, state: DomainState): 'answered' | 'unanswered' | 'not_found' {
  if (isMissing) return 'not_found';
  return state === 'unknown' ? 'unanswered' : 'answered';
}

function registrationOf({ registration: look }: DomainFacts): ShownRegistration | null {
  if (look === null) return null;
  const known = look.outcome === 'found' ? look : null;
  const expiresAt = known?.registration.expiresAt ?? null;
  return {
    status: look.outcome,
    why: look.outcome === 'unknown' ? look.why : null,
    domain: known?.domain ?? null,
    expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    statuses: known?.registration.statuses ?? [],
    registrar: known?.registration.registrar ?? null,
    name_servers: known?.registration.nameServers ?? [],
  };
}

function markOf({ bimi }: DomainFacts): ShownMark | null {
  if (bimi === null) return null;
  const { name, logoUrl, logo, certificateUrl, certificate } = bimi;
  const expiresAt = certificate?.outcome === 'found' ? new Date(certificate.content.validTo).toISOString() : null;
  return {
    name,
    logo_url: logoUrl,
    logo: logo?.outcome ?? null,
    certificate_url: certificateUrl,
    certificate: certificate?.outcome ?? null,
    certificate_expires_at: expiresAt,
  };
}

function encryptionOf({ mx }: DomainFacts): ShownEncryption[] {
  return mx.hosts.flatMap(({ host, startTls: look }) => {
    if (look === null) return [];
    const { outcome } = look;
    const why = outcome === 'unknown' ? look.why : outcome === 'failed' ? look.detail : null;
    const tls = outcome === 'encrypted' ? look.tls : null;
    const own = tls?.chain[0] ?? null;
    return [
      {
        host,
        outcome,
        why,
        protocol: tls?.protocol ?? null,
        names: own?.names ?? [],
        issuer: own?.issuer ?? null,
        expires_at: own === null ? null : new Date(own.validTo).toISOString(),
        is_trusted: tls === null ? null : tls.distrust === null,
      },
    ];
  });
}

function recordsIn({ domain, mx, spf, dmarc, dkim, mtaSts, tlsRpt, nameServers, bimi }: DomainFacts): FoundRecord[] {
  const text = (area: FindingArea, name: string) => (value: string) =>
    ({ area, name: `${name}.`, type: 'TXT', value }) as const;
  return [
    ...mx.hosts.map(({ host, preference }): FoundRecord => {
      return { area: 'mx', name: `${domain}.`, type: 'MX', value: `${preference} ${host}.` };
    }),
    ...spf.records.map(text('spf', domain)),
    ...dkim.keys.map(({ selector, record }) => text('dkim', `${selector}._domainkey.${domain}`)(record)),
    ...(dmarc.record === null ? [] : [text('dmarc', `_dmarc.${dmarc.foundAt}`)(dmarc.record)]),
    ...mx.hosts.flatMap(({ host, tlsa }) =>
      (tlsa?.records ?? []).map((record): FoundRecord => ({
        area: 'dane',
        name: `_25._tcp.${host}.`,
        type: 'TLSA',
        value: tlsaText(record),
      })),
    ),
    ...mtaSts.map(text('mta_sts', `_mta-sts.${domain}`)),
    ...tlsRpt.map(text('tls_rpt', `_smtp._tls.${domain}`)),
    ...nameServers.hosts.map((host): FoundRecord => {
      return { area: 'registration', name: `${nameServers.domain}.`, type: 'NS', value: `${host.toLowerCase()}.` };
    }),
    ...(bimi === null ? [] : bimi.records.map(text('bimi', bimi.name))),
  ];
}

/** The tree in the order of its reading, each term before those of the record that it names. */
function termsBelow({ children }: SpfNode, depth = 0): SpfTerm[] {
  return children.flatMap((child) => {
    const { domain, lookups, isVoid, problem } = child;
    return [{ depth, term: child.term ?? '', domain, lookups, void: isVoid, problem }, ...termsBelow(child, depth + 1)];
  });
}

/** With names as the interface writes them, and as much of it as anybody reads. */
function shown(value: unknown): unknown {
  if (typeof value === 'string') return shownText(value);
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(shown);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).slice(0, MAX_ITEMS);
  return Object.fromEntries(entries.map(([name, member]) => [snakeCase(name), shown(member)]));
}

/** PostgreSQL keeps neither NUL nor half a character in JSON, and a record may have the first, its cut the second. */
export function shownText(text: string): string {
  return Buffer.from(text.slice(0, MAX_CHARACTERS)).toString().replaceAll('\0', '\u{fffd}');
}

function snakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
