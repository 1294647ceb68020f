import { isPublicAddress } from '../../../mail-dns/public-address.js';
import { examineDomain } from '../../../engine/domain/judges/examine-domain.js';
import type { FactDns } from '../../../engine/domain/facts.js';
import type { DnsFix, DomainFinding, FindingCode } from '../../../engine/domain/finding.js';
import type { ReportFinding, ReportSections } from './placement-report.js';
import type { ReportFindingCode } from './report-findings.js';

/** Findings of a message that the records of a domain explain, and as what a check of that domain finds them: the first one with a fix. */
const EXPLAINED_BY: Partial<Record<ReportFindingCode, readonly FindingCode[]>> = {
  reverse_name_missing: ['ptr_missing'],
  reverse_name_not_forward: ['ptr_not_forward'],
  spf_missing: ['spf_missing'],
  spf_fail: ['spf_sender_not_covered'],
  spf_broken: ['spf_multiple', 'spf_syntax', 'spf_include_missing', 'spf_too_many_lookups', 'spf_void_lookups'],
  dkim_testing: ['dkim_testing'],
  dmarc_missing: ['dmarc_missing'],
  dmarc_policy_none: ['dmarc_policy_none'],
};
/** Domains that one report is looked at for: of MAIL FROM, of From and of signatures. */
const MAX_DOMAINS = 4;

/** What a finding is about. */
interface Subject {
  readonly domain: string;
  readonly selector: string | null;
}

/**
 * Findings with the record to publish, as a check of the domain gives it. Nothing is asked where none needs it, and what the DNS does not
 * answer leaves a finding with its sentence alone.
 * @param anyAddress also addresses that nobody outside can have, as in test mode
 */
export async function withRecords(
  findings: readonly ReportFinding[],
  sections: ReportSections,
  dns: FactDns,
  { anyAddress = false } = {},
): Promise<readonly ReportFinding[]> {
  const subjects = findings.map((one) => (EXPLAINED_BY[one.code] === undefined ? null : subjectOf(one, sections)));
  const domains = [...new Set(subjects.flatMap((one) => one?.domain ?? []))].slice(0, MAX_DOMAINS);
  const address = sections.transport?.client_address ?? null;
  // What connects from within the operator's own network is a server in front of ours, which no record of the sender has to name.
  const senders = address !== null && (anyAddress || isPublicAddress(address)) ? [address] : [];
  const found = new Map<string, readonly DomainFinding[]>();
  for (const domain of domains) {
    const selectors = subjects.flatMap((one) => (one?.domain === domain ? (one.selector ?? []) : []));
    const asked = { domain, selectors: [...new Set(selectors)], senders, searchesKeys: false };
    // The DNS alone is asked, and nothing in it expires.
    found.set(domain, (await examineDomain(asked, dns, null, { now: 0 })).findings);
  }
  return findings.map((finding, at) => {
    const subject = subjects[at] ?? null;
    if (subject === null) return finding;
    const { domain, selector } = subject;
    const candidates = (found.get(domain) ?? []).filter(
      (one) => one.fix !== null && (selector === null || one.subject === selector),
    );
    const codes = EXPLAINED_BY[finding.code] ?? [];
    const record = codes.flatMap((code) => candidates.find((one) => one.code === code)?.fix ?? [])[0] ?? null;
    return { ...finding, record: finding.code === 'spf_fail' ? ifYours(record) : record };
  });
}

function subjectOf({ code, evidence }: ReportFinding, { authentication }: ReportSections): Subject | null {
  const { spf = null, dmarc = null } = authentication ?? {};
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  const selector = code === 'dkim_testing' ? text(evidence['selector']) : null;
  const domain =
    code === 'dkim_testing'
      ? text(evidence['domain'])
      : code.startsWith('spf_')
        ? (spf?.domain ?? null)
        : code.startsWith('dmarc_')
          ? (dmarc?.domain ?? null)
          : (spf?.domain ?? dmarc?.domain ?? null);
  return domain === null ? null : { domain: domain.toLowerCase(), selector };
}

/** A check is told which addresses send; of a message nobody knows whether its own server, a forwarder or a stranger has sent it. */
function ifYours(record: DnsFix | null): DnsFix | null {
  return record && { ...record, confidence: 'needs_you', why: `${record.why}, if that address is one of yours` };
}
