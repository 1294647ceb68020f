import { untrustedSentence } from '../../mail-dns/untrusted.js';
import { type DomainState, silencesOf, stateOf, unknownAreas } from '../../engine/domain/domain-state.js';
import type { CheckedDomain } from './domain-checker.service.js';
import type { DomainFacts } from '../../engine/domain/facts.js';
import type { DomainFinding, FindingArea } from '../../engine/domain/finding.js';
import type { SpfNode } from '../../mail-dns/spf-tree.js';
import { tlsaText } from '../../engine/domain/starttls.js';
import type {
  DomainCheckReply,
  DomainRegistrationReply,
  EncryptionReply,
  MarkReply,
  SpfTermReply,
} from './domains.reply.js';
import type { FoundRecordReply } from './finding.reply.js';
import { snakeCase } from '../../lib/snake-case.js';

type OwnMembers =
  'unanswered_why' | 'id' | 'status' | 'domain' | 'credits_charged' | 'latency_ms' | 'checked_at' | 'request_id';

/** What came of a check, as it is answered and kept. */
export interface DomainResult extends Omit<DomainCheckReply, OwnMembers | 'findings' | 'unknown_areas'> {
  readonly findings: readonly DomainFinding[];
  /** Areas that may be worse than they look; those that were kept before it was written down do not have it. */
  readonly unknown_areas?: readonly FindingArea[];
  /** Whether our own resolver was not believed, so that something is unanswered; as above. */
  readonly is_untrusted?: boolean;
}

/** Others publish what stands in a result, and may publish much: nobody reads more of it than this. */
const MAX_CHARACTERS = 4_096;
const MAX_ITEMS = 100;

/** @param areas only these; null: all */
export function domainResult(
  { facts, findings, untrusted }: CheckedDomain,
  areas: ReadonlySet<FindingArea> | null,
): DomainResult {
  const isWanted = ({ area }: { readonly area: FindingArea }) => areas === null || areas.has(area);
  const wanted = findings.filter(isWanted);
  const silent = silencesOf(facts, areas);
  const count = (severity: DomainFinding['severity']) => wanted.filter((one) => one.severity === severity).length;
  const counts = { critical: count('critical'), warning: count('warning'), info: count('info') };
  return {
    state: stateOf(facts, findings, areas),
    counts,
    findings: shown(wanted) as readonly DomainFinding[],
    records: shown(recordsIn(facts).filter(isWanted)) as readonly FoundRecordReply[],
    spf_lookups: facts.spf.lookups,
    spf_terms: areas === null || areas.has('spf') ? (shown(termsBelow(facts.spf.root)) as readonly SpfTermReply[]) : [],
    dnssec: facts.dnssec,
    starttls: shown(encryptionOf(facts).filter(() => isWanted({ area: 'starttls' }))) as readonly EncryptionReply[],
    registration: isWanted({ area: 'registration' })
      ? (shown(registrationOf(facts)) as DomainRegistrationReply | null)
      : null,
    bimi: isWanted({ area: 'bimi' }) ? (shown(markOf(facts)) as MarkReply | null) : null,
    unanswered: shown([...new Set(silent.map(({ name }) => name))]) as readonly string[],
    unknown_areas: unknownAreas(facts, findings, areas),
    is_untrusted: isOursToBlame(untrusted, silent),
  };
}

/** Whether answers of our own resolver were not believed for one of the names, or what is asked `of` them, that are silent. */
export function isOursToBlame(
  untrusted: CheckedDomain['untrusted'],
  silent: readonly { readonly name: string }[],
): boolean {
  return silent.some(({ name }) => untrusted.has(name.slice(name.lastIndexOf(' ') + 1)));
}

/** A result as its owner reads it: with a sentence where our own resolver is to blame. */
export function shownResult({ is_untrusted: isUntrusted, ...found }: DomainResult, creditsCharged: number) {
  return { ...found, unanswered_why: isUntrusted === true ? untrustedSentence('check', creditsCharged === 0) : null };
}

/** What a check has come to, for its price: of a domain that does not exist there was nothing to check. */
export function outcomeOf({ isMissing }: DomainFacts, state: DomainState): 'answered' | 'unanswered' | 'not_found' {
  if (isMissing) return 'not_found';
  return state === 'unknown' ? 'unanswered' : 'answered';
}

function registrationOf({ registration: look }: DomainFacts): DomainRegistrationReply | null {
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

function markOf({ bimi }: DomainFacts): MarkReply | null {
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

function encryptionOf({ mx }: DomainFacts): EncryptionReply[] {
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

function recordsIn(facts: DomainFacts): FoundRecordReply[] {
  const { domain, mx, spf, dmarc, dkim, mtaSts, tlsRpt, nameServers, bimi } = facts;
  const text = (area: FindingArea, name: string) => (value: string) =>
    ({ area, name: `${name}.`, type: 'TXT', value }) as const;
  return [
    ...mx.hosts.map(({ host, preference }): FoundRecordReply => {
      return { area: 'mx', name: `${domain}.`, type: 'MX', value: `${preference} ${host}.` };
    }),
    ...spf.records.map(text('spf', domain)),
    ...dkim.keys.map(({ selector, record }) => text('dkim', `${selector}._domainkey.${domain}`)(record)),
    ...(dmarc.record === null ? [] : [text('dmarc', `_dmarc.${dmarc.foundAt}`)(dmarc.record)]),
    ...mx.hosts.flatMap(({ host, tlsa }) =>
      (tlsa?.records ?? []).map((record): FoundRecordReply => ({
        area: 'dane',
        name: `_25._tcp.${host}.`,
        type: 'TLSA',
        value: tlsaText(record),
      })),
    ),
    ...mtaSts.map(text('mta_sts', `_mta-sts.${domain}`)),
    ...tlsRpt.map(text('tls_rpt', `_smtp._tls.${domain}`)),
    ...nameServers.hosts.map((host): FoundRecordReply => {
      return { area: 'registration', name: `${nameServers.domain}.`, type: 'NS', value: `${host.toLowerCase()}.` };
    }),
    ...(bimi === null ? [] : bimi.records.map(text('bimi', bimi.name))),
  ];
}

/** The tree in the order of its reading, each term before those of the record that it names. */
function termsBelow({ children }: SpfNode, depth = 0): SpfTermReply[] {
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
