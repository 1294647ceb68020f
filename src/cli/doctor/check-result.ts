import pc from 'picocolors';
import { printable } from '../terminal/print.js';
import type { ConfiguredIdentity } from '../../verify/ports/smtp-identity.js';

/** The result of one examination. `skipped`: it was not tried or gave no result; the text says how it can give one. */
export interface CheckResult {
  /** Stable, for programs. */
  readonly name:
    | 'dns'
    | 'helo'
    | 'port25'
    | 'sockets'
    | 'spf'
    | 'block_lists'
    | 'source'
    | 'bounces'
    | 'reports'
    | 'mailboxes'
    | 'certificates'
    | 'registration'
    | 'bimi'
    | 'replica';
  readonly state: 'pass' | 'fail' | 'skipped';
  readonly text: string;
  /** The advice for this problem. */
  readonly advice: string | null;
}

type Name = CheckResult['name'];

export const pass = (name: Name, text: string): CheckResult => ({ name, state: 'pass', text, advice: null });
export const fail = (name: Name, text: string, advice: string): CheckResult => ({ name, state: 'fail', text, advice });
export const skipped = (name: Name, text: string, advice: string | null = null): CheckResult => ({
  name,
  state: 'skipped',
  text,
  advice,
});

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
  certificates: 'Certificates',
  registration: 'Registration',
  bimi: 'BIMI',
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
