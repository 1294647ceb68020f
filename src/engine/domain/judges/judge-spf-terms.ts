import type { DomainFacts } from '../facts.js';
import { type DomainFinding, finding, type FindingSeverity, txtFix } from '../finding.js';
import { parseSpf } from '../../../mail-dns/spf-record.js';

/** RFC 7208 section 3.4: more does not fit into one answer of 512 octets beside its name. */
const FITTING_BYTES = 450;
const MAX_UDP_BYTES = 512;
const ALL = /^[+\-~?]?all$/i;
/** Names of mechanisms with the sign of modifiers: receivers ignore modifiers that they do not know (section 6). */
const MISTAKEN = /^[+\-~?]?(include|a|mx|ptr|ip4|ip6|exists|all)=/i;

/** Terms of the domain's own record that receivers ignore, repeat, or may not get at all. What breaks the record is `judgeSpf`'s. */
export function judgeSpfTerms({ domain, spf: { records } }: DomainFacts): DomainFinding[] {
  const [record] = records;
  if (record === undefined || records.length > 1 || !parseSpf(record).ok) return [];
  const words = record.split(' ').filter((word) => word !== '');
  return [
    ...afterAll(domain, record, words),
    ...redirectBesideAll(domain, record, words),
    ...mistaken(domain, record, words),
    ...repeated(domain, record, words),
    ...long(domain, record),
  ];
}

function afterAll(domain: string, record: string, words: readonly string[]): DomainFinding[] {
  const end = words.findIndex((word) => ALL.test(word));
  const behind = end === -1 ? [] : words.slice(end + 1).filter((word) => !isModifier(word));
  if (behind.length === 0) return [];
  const isAllAlone = behind.every((word) => ALL.test(word));
  const left = words.filter((word, at) => at <= end || isModifier(word));
  const moved = left.flatMap((word) =>
    word === words[end] ? [...behind.filter((one) => !ALL.test(one)), word] : word,
  );
  const fix = isAllAlone
    ? txtFix(domain, [record, left.join(' ')], 'certain', `drops ${behind.join(', ')}, which receivers ignore`)
    : txtFix(domain, [record, moved.join(' ')], 'needs_you', 'names before all whoever is to send for you');
  const text = `Receivers ignore what comes after ${words[end]}: ${behind.join(', ')}.`;
  return [finding('spf_terms_after_all', domain, text, { record, terms: behind }, fix)];
}

function redirectBesideAll(domain: string, record: string, words: readonly string[]): DomainFinding[] {
  const redirects = words.filter((word) => /^redirect=/i.test(word));
  if (redirects.length === 0 || !words.some((word) => ALL.test(word))) return [];
  const value = words.filter((word) => !redirects.includes(word)).join(' ');
  const fix = txtFix(domain, [record, value], 'certain', 'drops the redirect, which receivers ignore');
  const text = `Receivers ignore ${redirects.join(', ')}, because the record has an all.`;
  return [finding('spf_redirect_ignored', domain, text, { record, terms: redirects }, fix)];
}

function mistaken(domain: string, record: string, words: readonly string[]): DomainFinding[] {
  const terms = words.filter((word) => MISTAKEN.test(word));
  if (terms.length === 0) return [];
  const value = words.map((word) => (terms.includes(word) ? word.replace('=', ':') : word)).join(' ');
  const fix = parseSpf(value).ok
    ? txtFix(
        domain,
        [record, value],
        'needs_you',
        'mechanisms have a colon; look first whether each of them is to send',
      )
    : null;
  const text = `Receivers ignore ${terms.join(', ')}: mechanisms are written with a colon.`;
  return [finding('spf_mechanism_ignored', domain, text, { record, terms }, fix)];
}

function repeated(domain: string, record: string, words: readonly string[]): DomainFinding[] {
  const seen = new Set<string>();
  const again: number[] = [];
  for (const [at, word] of words.entries()) {
    if (ALL.test(word)) break;
    // A macro's capital letters mean something (section 7.3).
    const term = (word.includes('%') ? word : word.toLowerCase()).replace(/^\+/, '');
    if (seen.has(term) && !isModifier(word)) again.push(at);
    seen.add(term);
  }
  if (again.length === 0) return [];
  const terms = again.map((at) => words[at]!);
  const value = words.filter((_, at) => !again.includes(at)).join(' ');
  const fix = txtFix(domain, [record, value], 'certain', 'the first of the same terms decides');
  const text = `The record names ${[...new Set(terms)].join(', ')} more than once.`;
  return [finding('spf_term_repeated', domain, text, { record, terms }, fix)];
}

function long(domain: string, record: string): DomainFinding[] {
  const bytes = Buffer.byteLength(record);
  if (bytes <= FITTING_BYTES) return [];
  const isTooLong = bytes > MAX_UDP_BYTES;
  const severity: FindingSeverity = isTooLong ? 'warning' : 'info';
  const text = isTooLong
    ? `The record has ${bytes} bytes: it does not fit into a plain DNS answer, and some receivers do not get it.`
    : `The record has ${bytes} bytes; beyond ${FITTING_BYTES} it may not fit into a plain DNS answer.`;
  return [{ ...finding('spf_record_long', domain, text, { record, bytes, limit: FITTING_BYTES }), severity }];
}

function isModifier(word: string): boolean {
  return /^[a-z][a-z0-9._-]*=/i.test(word);
}
