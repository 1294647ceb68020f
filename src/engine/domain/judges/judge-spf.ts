import type { DomainFacts } from '../facts.js';
import { type DomainFinding, finding, txtFix, type FindingSeverity } from '../finding.js';
import { MAX_SPF_LOOKUPS, MAX_VOID_LOOKUPS } from '../../../mail-dns/check-host.js';
import { parseSpf } from '../../../mail-dns/spf-record.js';
import { brokenNode, MAX_NETWORKS, type SpfNode, type SpfTree } from '../../../mail-dns/spf-tree.js';

/** From so many look-ups on, one more service is too much. */
const NEAR_LIMIT = 8;
/** Who lets half of all addresses send lets everybody: a forger has some among them. */
const EVERYBODY_SHARE = 1 / 2;
/** A /8 of IPv4, a /11 of what IPv6 has given out: more than anybody's mail servers have. */
const WIDE_SHARE = 1 / 256;
const SLIPS: readonly (readonly [RegExp, string])[] = [
  [/(^| )([+\-~?]?)ipv4:/gi, '$1$2ip4:'],
  [/(^| )([+\-~?]?)ipv6:/gi, '$1$2ip6:'],
];

/** What the record and the senders of a domain are judged by. */
interface SpfFacts extends Pick<DomainFacts, 'domain' | 'spf'> {
  readonly mx: Pick<DomainFacts['mx'], 'isNull'>;
  readonly senders: readonly Pick<DomainFacts['senders'][number], 'address' | 'isGiven' | 'spf'>[];
}

export function judgeSpf({ domain, mx, spf, senders }: SpfFacts): DomainFinding[] {
  const { records, root } = spf;
  if (root.problem === 'unanswered') return [];
  if (records.length === 0) return [missing(domain, mx.isNull, senders)];
  const record = records[0]!;
  if (records.length > 1) return [multiple(domain, records)];
  if (root.problem === 'syntax') return [syntax(domain, record, root.detail!)];
  return [
    ...brokenBelow(domain, record, root),
    ...limits(domain, record, spf),
    ...ends(domain, record, spf),
    ...uncovered(),
  ];

  function uncovered(): DomainFinding[] {
    const refused = senders.filter(
      ({ isGiven, spf: result }) => isGiven && ['fail', 'softfail', 'neutral'].includes(result),
    );
    return refused.map(({ address, spf: result }) => {
      const term = termOf(address);
      const words = `The record does not let ${address} send (${result}).`;
      const value = record.replace(/^(v=spf1)/i, `$1 ${term}`);
      const fix = txtFix(domain, [record, value], 'certain', `adds ${term}`);
      return finding('spf_sender_not_covered', address, words, { record, result }, fix);
    });
  }
}

/** A domain that takes no mail may send some, and no answer of the DNS proves that it does not: keys stand under names that nobody knows. */
function missing(domain: string, takesNoMail: boolean, senders: SpfFacts['senders']): DomainFinding {
  const words = 'The domain has no SPF record, so nothing says which servers may send its mail.';
  const named = senders.filter(({ isGiven }) => isGiven).map(({ address }) => termOf(address));
  const who = [...(takesNoMail ? [] : ['mx']), ...named].join(' ');
  const [value, why] =
    who === ''
      ? ['v=spf1 -all', 'if nobody sends mail in the name of the domain']
      : [`v=spf1 ${who} <the other services that send for you> ~all`, 'names who may send'];
  const fix = txtFix(domain, [null, value], 'needs_you', why);
  return finding('spf_missing', domain, words, {}, fix);
}

function termOf(address: string): string {
  return `${address.includes(':') ? 'ip6' : 'ip4'}:${address}`;
}

/** One record with the terms of all, and the mildest end of them. */
function multiple(domain: string, records: readonly string[]): DomainFinding {
  const terms = records
    .flatMap((record) => record.split(' ').slice(1))
    .filter((term) => term !== '' && !/^[+\-~?]?all$/i.test(term));
  const end =
    records.some((record) => /~all/i.test(record)) || !records.every((record) => /-all/i.test(record))
      ? '~all'
      : '-all';
  const value = `v=spf1 ${[...new Set(terms), end].join(' ')}`;
  const fix = txtFix(
    domain,
    [records.join('\n'), value],
    'needs_you',
    'one record with what both allow: look whether all of them still send',
  );
  const words = `There are ${records.length} SPF records, and receivers ignore all of them.`;
  return finding('spf_multiple', domain, words, { records }, fix);
}

function syntax(domain: string, record: string, detail: string): DomainFinding {
  const value = SLIPS.reduce((text, [slip, right]) => text.replaceAll(slip, right), record);
  const fix =
    value !== record && parseSpf(value).ok
      ? txtFix(domain, [record, value], 'certain', 'the names of the terms are ip4 and ip6')
      : null;
  return finding('spf_syntax', domain, `Receivers cannot read the record: ${detail}.`, { record }, fix);
}

/** Errors in what is included, which break the record as much as its own. */
function brokenBelow(domain: string, record: string, root: SpfNode): DomainFinding[] {
  const own = root.children.filter((child) => child.problem === 'missing');
  if (own.length > 0) {
    const terms = own.map(({ term }) => term!);
    const names = own.map((child) => child.domain);
    const words = `${names.join(', ')} ${names.length > 1 ? 'have' : 'has'} no SPF record any more, so SPF ends with permerror for every sender that no earlier term matches.`;
    const isOnly = terms.every((term) => /^\+?include:/i.test(term));
    const fix = isOnly
      ? txtFix(domain, [record, without(record, terms)], 'certain', `drops ${terms.join(', ')}`)
      : null;
    return [finding('spf_include_missing', domain, words, { record, terms }, fix)];
  }
  const broken = brokenNode(root);
  if (broken === null || broken.problem === 'unanswered') return [];
  const words = `The record cannot be evaluated, so SPF ends with permerror: ${broken.detail}.`;
  return [finding('spf_broken', domain, words, { record, term: broken.term, tree: treeOf(root) })];
}

function limits(domain: string, record: string, { root, lookups, voidLookups }: SpfTree): DomainFinding[] {
  const findings: DomainFinding[] = [];
  const useless = root.children.filter(({ isVoid, term }) => isVoid && /^\+?(a|mx)\b/i.test(term ?? ''));
  const terms = useless.map(({ term }) => term!);
  const shorter = without(record, terms);
  const evidence = { record, lookups, limit: MAX_SPF_LOOKUPS, tree: treeOf(root) };
  if (lookups > MAX_SPF_LOOKUPS) {
    const isEnough = terms.length > 0 && lookups - terms.length <= MAX_SPF_LOOKUPS;
    const fix = isEnough
      ? txtFix(domain, [record, shorter], 'certain', `drops ${terms.join(', ')}, which match nobody`)
      : null;
    const words = `Receivers give up after ${MAX_SPF_LOOKUPS} DNS look-ups; this record needs ${lookups}, so SPF ends with permerror for every sender that no earlier term matches.`;
    findings.push(finding('spf_too_many_lookups', domain, words, evidence, fix));
  } else if (lookups >= NEAR_LIMIT) {
    const words = `The record needs ${lookups} of ${MAX_SPF_LOOKUPS} DNS look-ups: one more service, or a change at one of them, breaks it.`;
    findings.push(finding('spf_near_limit', domain, words, evidence));
  }
  if (voidLookups > MAX_VOID_LOOKUPS) {
    const isEnough = voidLookups - terms.length <= MAX_VOID_LOOKUPS;
    const fix = isEnough
      ? txtFix(domain, [record, shorter], 'certain', `drops ${terms.join(', ')}, which match nobody`)
      : null;
    const words = `${voidLookups} names that the record asks for do not exist, and receivers give up after ${MAX_VOID_LOOKUPS}: SPF ends with permerror for every sender that no earlier term matches.`;
    findings.push(finding('spf_void_lookups', domain, words, { record, void_lookups: voidLookups, terms }, fix));
  }
  return findings;
}

function ends(domain: string, record: string, tree: SpfTree): DomainFinding[] {
  const { all, usesPtr, root } = tree;
  const findings = tooMany(domain, record, tree);
  if (findings.length === 0 && (all === null || all === '?') && brokenNode(root) === null) {
    const value = all === '?' ? record.replace(/\?all/i, '~all') : `${record} ~all`;
    // Beside `all` a redirect counts for nothing (RFC 7208 section 6.1).
    const isElsewhere = value === record || / redirect=/i.test(record);
    const why = 'look first whether everybody who sends for you is named';
    const fix = isElsewhere ? null : txtFix(domain, [record, value], 'needs_you', why);
    const words = 'The record does not end with -all or ~all, so it says nothing about all other senders.';
    findings.push(finding('spf_neutral_all', domain, words, { record }, fix));
  }
  if (usesPtr)
    findings.push(
      finding('spf_ptr', domain, 'The record uses ptr, which is slow and which many receivers ignore.', { record }),
    );
  return findings;
}

/** Records that let everybody send, or far more than can be anybody's servers, by whichever of their terms. */
function tooMany(domain: string, record: string, { all, root, passes, wideTerms }: SpfTree): DomainFinding[] {
  const evidence = { record, share: passes, terms: wideTerms };
  if (all === '+') {
    const value = record.replace(/(^| )\+?all( |$)/i, '$1~all$2');
    const why = 'look first whether everybody who sends for you is named';
    const fix = value === record ? null : txtFix(domain, [record, value], 'needs_you', why);
    const words = 'The record lets everybody send in the name of the domain.';
    return [finding('spf_plus_all', domain, words, evidence, fix)];
  }
  // A record that cannot be evaluated lets nobody send.
  if (isBroken(root)) return [];
  if (passes === null) {
    const words = `The record names more than ${MAX_NETWORKS} networks with what it includes: nobody counts how many addresses it lets send.`;
    return [finding('spf_too_wide', domain, words, evidence)];
  }
  const share = Math.max(passes.ipv4, passes.ipv6);
  if (share < WIDE_SHARE) return [];
  const percent = Number((share * 100).toPrecision(2));
  const family = passes.ipv4 >= passes.ipv6 ? 'IPv4' : 'IPv6';
  const by = wideTerms.length === 0 ? '' : `, by ${wideTerms.map(({ term }) => term).join(', ')}`;
  const words = `The record lets ${percent}% of all ${family} addresses send in the name of the domain${by}.`;
  return [finding(share >= EVERYBODY_SHARE ? 'spf_plus_all' : 'spf_too_wide', domain, words, evidence)];
}

function isBroken(root: SpfNode): boolean {
  const broken = brokenNode(root);
  return broken !== null && broken.problem !== 'unanswered';
}

function without(record: string, terms: readonly string[]): string {
  return record
    .split(' ')
    .filter((word) => word !== '' && !terms.includes(word))
    .join(' ');
}

/** The tree for a reader: who needs how many look-ups. */
function treeOf({ children }: SpfNode): object[] {
  return children.map((child) => ({
    term: child.term,
    lookups: child.lookups,
    ...(child.isVoid && { void: true }),
    ...(child.problem !== null && { problem: child.problem }),
    ...(child.children.length > 0 && { tree: treeOf(child) }),
  }));
}

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
