import { policyOf } from '../dmarc.js';
import type { DomainFacts } from '../facts.js';
import { type DomainFinding, finding, type FindingSeverity, txtFix } from '../finding.js';
import { parseTagList, type TagList, tagOf, withoutTags } from '../tag-list.js';

const STRENGTH = ['none', 'quarantine', 'reject'];
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
