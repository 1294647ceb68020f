import pc from 'picocolors';
import { type DomainState, isAnswered } from '../engine/domain/domain-state.js';
import type { DomainFacts, MailHostFacts } from '../engine/domain/facts.js';
import type { DnsFix, DomainFinding, FindingSeverity } from '../engine/domain/finding.js';
import type { SpfNode } from '../mail-dns/spf-tree.js';
import { printable } from './terminal/print.js';

const MARKS: Readonly<Record<FindingSeverity, string>> = {
  critical: pc.red('✗'),
  warning: pc.yellow('!'),
  info: pc.gray('–'),
};

interface JudgedDomain {
  readonly state: DomainState;
  readonly findings: readonly DomainFinding[];
  /** A sentence where our own resolver was not believed; null: it was. */
  readonly unansweredWhy: string | null;
}

/** What was found, for a person: the records first, then what is wrong with them. */
export function domainText(facts: DomainFacts, { state, findings, unansweredWhy }: JudgedDomain): string {
  const unanswered = [...new Set(facts.unanswered.map(({ name }) => name))];
  const isSilent = (...names: readonly string[]) =>
    names.length > 0 && names.every((name) => unanswered.includes(name));
  const keyNames = facts.dkim.asked.map((selector) => `${selector}._domainkey.${facts.domain}`);
  const lines = [
    pc.bold(facts.domain),
    '',
    ...row(
      'MX',
      facts.mx.hosts.map(
        ({ host, preference, addresses }) => `${preference} ${host} (${addresses.join(', ') || 'no address'})`,
      ),
      !isAnswered(facts),
    ),
    ...row('STARTTLS', facts.mx.hosts.flatMap(encryption), !isAnswered(facts)),
    ...row('SPF', facts.spf.records, facts.spf.root.problem === 'unanswered'),
    ...(facts.spf.lookups > 0 ? row('', [`${facts.spf.lookups} of 10 DNS look-ups`]) : []),
    ...tree(facts.spf.root, 1),
    ...row(
      'DMARC',
      facts.dmarc.record === null ? [] : [`${facts.dmarc.record} (at ${facts.dmarc.foundAt})`],
      !facts.dmarc.isAnswered,
    ),
    ...row(
      'DKIM',
      facts.dkim.keys.map(
        ({ selector, type, bits }) => `${selector} (${type}${bits === null ? '' : `, ${bits} bits`})`,
      ),
      isSilent(...keyNames),
    ),
    ...row('MTA-STS', facts.mtaSts, isSilent(`_mta-sts.${facts.domain}`)),
    ...row('TLS-RPT', facts.tlsRpt, isSilent(`_smtp._tls.${facts.domain}`)),
    ...row('BIMI', facts.bimi?.records ?? [], isSilent(`default._bimi.${facts.domain}`)),
    ...row('registered', registration(facts)),
    ...row('DNSSEC', [facts.dnssec]),
    ...(unanswered.length > 0 ? row('no answer', unanswered) : []),
    '',
    ...findings.flatMap(findingLines),
    ...(findings.length === 0 || state === 'unknown' ? [ending(facts, state, unansweredWhy)] : []),
    ...(state !== 'unknown' && unansweredWhy !== null ? [`${MARKS.info} ${unansweredWhy}`] : []),
    '',
  ];
  return lines.join('\n');
}

function ending(facts: DomainFacts, state: DomainState, unansweredWhy: string | null): string {
  if (state !== 'unknown') return `${pc.green('✓')} Nothing is wrong with what was checked.`;
  if (unansweredWhy !== null) return `${MARKS.info} ${unansweredWhy}`;
  return isAnswered(facts)
    ? `${MARKS.info} Some questions got no answer, so the domain may be worse than it looks. Try again later.`
    : `${MARKS.info} The DNS does not say who takes mail for this domain, so nothing is known of it. Try again later.`;
}

function encryption({ host, startTls: look }: MailHostFacts): string[] {
  if (look === null) return [];
  if (look.outcome === 'unknown') return [`${host}: not known (${look.why})`];
  if (look.outcome !== 'encrypted') return [`${host}: ${look.outcome === 'failed' ? `fails (${look.detail})` : 'no'}`];
  const { protocol, chain } = look.tls;
  const until = chain[0] === undefined ? '' : `, until ${new Date(chain[0].validTo).toISOString().slice(0, 10)}`;
  return [`${host}: ${protocol}, ${chain[0]?.issuer ?? 'no certificate'}${until}`];
}

function registration({ registration: look }: DomainFacts): string[] {
  if (look === null) return [];
  if (look.outcome === 'unknown') return [`not known (${look.why})`];
  const { expiresAt, registrar, statuses } = look.registration;
  const until = expiresAt === null ? [] : [`until ${new Date(expiresAt).toISOString().slice(0, 10)}`];
  return [[...until, ...(registrar === null ? [] : [`at ${registrar}`]), ...statuses].join(', ')];
}

const TITLE_WIDTH = 11;

/** @param isSilent whether nobody has answered, so that without a value none is known */
function row(title: string, values: readonly string[], isSilent = false): string[] {
  const shown = values.length === 0 ? [pc.gray(isSilent ? 'not known' : 'none')] : values.map(printable);
  return shown.map((value, index) => `${(index === 0 ? title : '').padEnd(TITLE_WIDTH)}${value}`);
}

function tree(node: SpfNode, depth: number): string[] {
  return node.children.flatMap((child) => {
    const notes = [
      `${child.lookups}`,
      ...(child.isVoid ? ['not there'] : []),
      ...(child.problem === null ? [] : [child.problem]),
    ];
    const line = `${' '.repeat(TITLE_WIDTH)}${'  '.repeat(depth)}${printable(child.term ?? '')} (${notes.join(', ')})`;
    return [pc.dim(line), ...tree(child, depth + 1)];
  });
}

function findingLines({ code, severity, subject, explanation, fix }: DomainFinding): string[] {
  const indent = ' '.repeat(2);
  return [
    `${MARKS[severity]} ${pc.bold(printable(subject))} ${pc.dim(code)}`,
    `${indent}${printable(explanation)}`,
    ...(fix === null ? [] : fixLines(fix).map((line) => indent + line)),
  ];
}

function fixLines({ action, name, type, current, value, why, confidence }: DnsFix): string[] {
  const when = confidence === 'certain' ? '' : ', which needs you';
  return [
    pc.dim(`${action} ${type} at ${printable(name)}${when}: ${printable(why)}`),
    ...(current === null
      ? []
      : current
          .trimEnd()
          .split('\n')
          .map((record) => pc.red(`- ${printable(record)}`))),
    ...(value === null
      ? []
      : value
          .trimEnd()
          .split('\n')
          .map((line) => pc.green(`+ ${printable(line)}`))),
  ];
}
