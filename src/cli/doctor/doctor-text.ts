import pc from 'picocolors';
import type { ConfiguredIdentity } from '../../verify/ports/smtp-identity.js';
import type { CheckResult } from './check-result.js';
import { printable } from '../printable.js';

const MARKS: Readonly<Record<CheckResult['state'], string>> = {
  pass: pc.green('✓'),
  fail: pc.red('✗'),
  skipped: pc.gray('–'),
};

const TITLES: Readonly<Record<CheckResult['name'], string>> = {
  dns: 'DNS',
  helo: 'HELO_NAME',
  port25: 'Port 25',
  sockets: 'Sockets',
  spf: 'SPF',
  block_lists: 'Block lists',
  reports: 'DMARC reports',
  source: 'Source',
  bounces: 'Bounces',
  mailboxes: 'Mailboxes',
  replica: 'Replica',
};

const TITLE_WIDTH = 15;

type Identity = Pick<ConfiguredIdentity, 'heloName' | 'mailFrom'>;

/** The examination for a person. @param identities how the sources introduce themselves */
export function doctorText(identities: readonly Identity[], findings: readonly CheckResult[]): string {
  return [
    ...identities.map(
      ({ heloName, mailFrom }) => `Mail hosts are greeted as ${pc.bold(heloName)}, from ${pc.bold(`<${mailFrom}>`)}.`,
    ),
    '',
    ...findings.flatMap(({ name, state, text, advice }) => [
      `${MARKS[state]} ${pc.bold(TITLES[name].padEnd(TITLE_WIDTH))}${printable(text)}`,
      ...(advice === null ? [] : [`  ${' '.repeat(TITLE_WIDTH)}${pc.dim(printable(advice))}`]),
    ]),
    '',
  ].join('\n');
}
