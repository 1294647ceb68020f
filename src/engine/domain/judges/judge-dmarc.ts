import { policyOf } from '../dmarc.js';
import type { DomainFacts } from '../facts.js';
import { type DnsFix, type DomainFinding, finding, txtFix, type FindingSeverity } from '../finding.js';
import { parseTagList, repeatedTag, type TagList, tagOf, withoutTags } from '../tag-list.js';

const STRENGTH: readonly string[] = ['none', 'quarantine', 'reject'];
/** Tags of RFC 7489 that RFC 9989 has taken out. */
const RETIRED = ['pct', 'rf', 'ri'];
const REPORTS = 'mailto:<a mailbox of yours for reports>';

export function judgeDmarc({ domain, dmarc, lastDmarc, reportDestinations }: DomainFacts): DomainFinding[] {
  if (!dmarc.isAnswered) return [];
  // What stands above a record decides nothing.
  const nearest = dmarc.steps.find(({ records }) => records.length > 0);
  if (nearest !== undefined && nearest.records.length > 1) return [multiple(nearest.name, nearest.records)];
  if (dmarc.record === null) return [missing(domain, lastDmarc)];
  const at = dmarc.foundAt!;
  const { record } = dmarc;
  const name = `_dmarc.${at}`;
  const tags = parseTagList(record);
  const findings: DomainFinding[] = [];
  const repeated = repeatedTag(tags);
  const wrong =
    tags.broken[0] ?? ['p', 'sp', 'np'].find((one) => tagOf(tags, one) !== null && policyOf(tagOf(tags, one)) === null);
  if (repeated !== null) {
    const words = `The tag "${repeated}" appears more than once, which makes the whole record invalid: some receivers ignore the record, others use one of the values.`;
    const fix = txtFix(name, [record, withEachOnce(tags)], 'needs_you', 'a record may have each tag once');
    findings.push(finding('dmarc_syntax', at, words, { record }, fix));
  } else if (wrong !== undefined)
    findings.push(finding('dmarc_syntax', at, `Receivers cannot read "${wrong}" in the record.`, { record }));
  else if (dmarc.policy === 'none') {
    const value = `${withoutTags(tags, ['p'])}; p=quarantine`.replace(
      /^(v=DMARC1); (.*); (p=quarantine)$/,
      '$1; $3; $2',
    );
    const why = 'when the reports show that all mail of yours passes';
    const fix = txtFix(name, [record, value], 'needs_you', why);
    findings.push(
      finding('dmarc_policy_none', at, 'The policy asks receivers to do nothing about forged mail.', { record }, fix),
    );
  }
  if (tagOf(tags, 'rua') === null) {
    const fix = txtFix(
      name,
      [record, `${record.replace(/(?<![;\s])[;\s]+$/, '')}; rua=${REPORTS}`],
      'needs_you',
      'reports show who sends in your name',
    );
    findings.push(finding('dmarc_no_rua', at, 'Nobody gets the reports of receivers.', { record }, fix));
  }
  for (const destination of reportDestinations.unauthorised) {
    const agreement = `${at}._report._dmarc.${destination}`;
    const fix = txtFix(
      agreement,
      [null, 'v=DMARC1'],
      'needs_you',
      `whoever runs ${destination} publishes it, and so agrees to get reports about ${at}`,
    );
    const words = `Reports to ${destination} are not sent, since it has not agreed to get them.`;
    findings.push(finding('dmarc_rua_unauthorised', destination, words, { record }, fix));
  }
  if (dmarc.isTesting) {
    const fix = txtFix(
      name,
      [record, withoutTags(tags, ['t'])],
      'needs_you',
      'when the reports show that all mail of yours passes',
    );
    findings.push(
      finding('dmarc_testing', at, 'The record is in test mode (t=y): its policy is not applied.', { record }, fix),
    );
  }
  const weaker =
    tagOf(tags, 'sp') !== null &&
    STRENGTH.indexOf(dmarc.subdomainPolicy) < STRENGTH.indexOf(policyOf(tagOf(tags, 'p')) ?? 'none');
  if (weaker) {
    const fix = txtFix(
      name,
      [record, withoutTags(tags, ['sp'])],
      'needs_you',
      'when no subdomain sends mail that fails',
    );
    const words = `Subdomains are protected less (${dmarc.subdomainPolicy}) than the domain itself, and forgers use them.`;
    findings.push(finding('dmarc_sp_weaker', at, words, { record }, fix));
  }
  const retired = tags.tags.filter(([one]) => RETIRED.includes(one)).map(([one]) => one);
  if (retired.length > 0) {
    const words = `The current DMARC standard has no ${retired.join(', ')}; receivers ignore it.`;
    findings.push(finding('dmarc_tag_retired', at, words, { record }, withoutRetired(name, record, dmarc, domain)));
  }
  return findings;
}

/** The record with each tag once: addresses for reports side by side, and of values that differ the one that its owner means. */
function withEachOnce({ tags }: TagList): string {
  const values = new Map<string, string[]>();
  for (const [name, value] of tags) {
    const told = values.get(name) ?? [];
    if (!told.includes(value)) values.set(name, [...told, value]);
  }
  return [...values]
    .map(([name, [first, ...others]]) => {
      if (others.length === 0) return `${name}=${first}`;
      const all = [first, ...others];
      return ['rua', 'ruf'].includes(name) ? `${name}=${all.join(',')}` : `${name}=<${all.join(' or ')}>`;
    })
    .join('; ');
}

/** Receivers that still follow `pct` apply the policy to less mail by it: who drops it has them apply it to all. */
function withoutRetired(name: string, record: string, dmarc: DomainFacts['dmarc'], domain: string): DnsFix {
  const tags = parseTagList(record);
  const pct = tagOf(tags, 'pct');
  const isPolicy = [dmarc.policy, dmarc.subdomainPolicy, dmarc.nonexistentPolicy].some((policy) => policy !== 'none');
  // What was meant by it is said by `t=y` now (RFC 9989 appendix A.6).
  if (pct === '0' && isPolicy) {
    const value = `${withoutTags(tags, [...RETIRED, 't'])}; t=y`;
    return txtFix(
      name,
      [record, value],
      'needs_you',
      'pct=0 asked receivers not to apply the policy, and t=y does so now',
    );
  }
  const value = withoutTags(tags, RETIRED);
  if (pct !== null && pct !== '100' && isPolicy)
    return txtFix(name, [record, value], 'needs_you', `without pct=${pct} the policy applies to all mail that fails`);
  // The record of a registry is nothing that the domain's owner can change.
  const isTheirs = dmarc.foundAt === domain || dmarc.foundAt === dmarc.organizationalDomain;
  // Without what nobody can read the policy may begin to apply.
  const isCertain = isTheirs && tags.broken.length === 0;
  return txtFix(name, [record, value], isCertain ? 'certain' : 'needs_you', 'drops what receivers ignore');
}

function missing(domain: string, last: DomainFacts['lastDmarc']): DomainFinding {
  const words =
    'Neither the domain nor its organization has a DMARC policy; large receivers refuse bulk mail without one.';
  if (last !== null) {
    const why = 'it was published here before; if you have not removed it on purpose, publish it again';
    const fix = txtFix(`_dmarc.${last.at}`, [null, last.record], 'needs_you', why);
    return finding('dmarc_missing', domain, words, { last_record: last.record }, fix);
  }
  const why = 'it changes nothing for your mail, and large receivers ask for it';
  const fix = txtFix(`_dmarc.${domain}`, [null, 'v=DMARC1; p=none'], 'certain', why);
  return finding('dmarc_missing', domain, words, {}, fix);
}

function multiple(at: string, records: readonly string[]): DomainFinding {
  const words = `There are ${records.length} DMARC records, and receivers ignore all of them.`;
  const fix = txtFix(`_dmarc.${at}`, [records.join('\n'), records[0]!], 'needs_you', 'keep one of them');
  return finding('dmarc_multiple', at, words, { records }, fix);
}

const MAILTO = /^mailto:[^@\s]+@[^@\s!]+(!\d+[kmgt]?)?$/i;
const ADDRESS = /^[^@\s:/]+@([a-z0-9-]+\.)+[a-z0-9-]+$/i;

/** Tags of a DMARC record that receivers ignore, reports that nobody gets, and texts that only look like a record. */
export function judgeDmarcTags(facts: DomainFacts): DomainFinding[] {
  const { dmarc, reportDestinations } = facts;
  const found = strays(facts);
  if (!dmarc.isAnswered || dmarc.record === null) return found;
  const { record } = dmarc;
  const at = dmarc.foundAt!;
  const tags = parseTagList(record);
  found.push(...reportUris(at, record, tags), ...alignmentModes(at, record, tags));
  for (const destination of reportDestinations.unauthorisedFailures) {
    const fix = txtFix(
      `${at}._report._dmarc.${destination}`,
      [null, 'v=DMARC1'],
      'needs_you',
      `${destination} must agree`,
    );
    const words = `Failure reports to ${destination} are not sent, since it has not agreed to get them.`;
    found.push(finding('dmarc_ruf_unauthorised', destination, words, { record }, fix));
  }
  for (const destination of reportDestinations.withoutMail) {
    const words = `${destination}, to which the record sends reports, takes no mail.`;
    found.push(finding('dmarc_report_domain_no_mail', destination, words, { record }));
  }
  const np = policyOf(tagOf(tags, 'np'));
  const p = policyOf(tagOf(tags, 'p'));
  if (np !== null && p !== null && STRENGTH.indexOf(np) < STRENGTH.indexOf(p)) {
    const why = 'names that do not exist never send your mail';
    const fix = txtFix(`_dmarc.${at}`, [record, withoutTags(tags, ['np'])], 'needs_you', why);
    const words = `Names below the domain that do not exist are protected less (${np}) than the domain itself (${p}), and forgers use them.`;
    found.push(finding('dmarc_np_weaker', at, words, { record }, fix));
  }
  return found;
}

function strays({ domain, dmarc, strayDmarc }: DomainFacts): DomainFinding[] {
  return strayDmarc.map(({ name, record }) => {
    const holds = dmarc.foundAt === domain;
    const isElsewhere = name === domain;
    const words = isElsewhere
      ? `The DMARC record at ${name} counts for nothing: receivers ask for _dmarc.${name}.`
      : `A text at ${name} looks like a DMARC record, and receivers ignore it: one begins with v=DMARC1 and a semicolon.`;
    const fix = holds ? txtFix(name, [record, null], 'certain', 'receivers ignore it') : null;
    const severity: FindingSeverity = holds ? 'info' : 'warning';
    return { ...finding('dmarc_stray_record', name, words, { record }, fix), severity };
  });
}

function reportUris(at: string, record: string, tags: TagList): DomainFinding[] {
  return ['rua', 'ruf'].flatMap((tag) => {
    const uris = (tagOf(tags, tag) ?? '').split(',').map((uri) => uri.trim());
    const wrong = uris.filter((uri) => uri !== '' && !MAILTO.test(uri));
    if (wrong.length === 0) return [];
    const mended = uris.map((uri) => (ADDRESS.test(uri) ? `mailto:${uri}` : uri));
    const isMended = mended.every((uri) => MAILTO.test(uri));
    const value = tags.tags.map(([name, text]) => `${name}=${name === tag ? mended.join(',') : text}`).join('; ');
    const fix = isMended ? txtFix(`_dmarc.${at}`, [record, value], 'needs_you', 'addresses begin with mailto:') : null;
    const words = `Receivers send no reports to ${wrong.join(', ')}: ${tag} takes addresses that begin with mailto:.`;
    return [finding('dmarc_report_uri', at, words, { record, tag, uris: wrong }, fix)];
  });
}

function alignmentModes(at: string, record: string, tags: TagList): DomainFinding[] {
  const wrong = ['adkim', 'aspf'].filter((tag) => !/^[rs]?$/i.test(tagOf(tags, tag) ?? ''));
  if (wrong.length === 0) return [];
  const said = wrong.map((tag) => `${tag}=${tagOf(tags, tag)}`).join(', ');
  const fix = txtFix(
    `_dmarc.${at}`,
    [record, withoutTags(tags, wrong)],
    'certain',
    `drops ${said}, which receivers ignore`,
  );
  const words = `Receivers ignore ${said}, and compare as r (relaxed): the modes are r and s.`;
  return [finding('dmarc_alignment_mode', at, words, { record }, fix)];
}
