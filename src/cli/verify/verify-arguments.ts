import { existsSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type Output, OUTPUTS } from './results-output.js';
import { HELP_HINT, programName, withServer } from '../terminal/command-line.js';
import { printable } from '../terminal/print.js';

export interface VerifyArguments {
  /** Where the addresses are: on the command line, on standard input, or in a file. */
  readonly source:
    | { readonly kind: 'given'; readonly addresses: readonly string[] }
    | { readonly kind: 'stdin' }
    | { readonly kind: 'file'; readonly path: string };
  /** Null: lines for a person. */
  readonly output: Output | null;
  /** Of a CSV; null: what its header tells. */
  readonly emailColumn: string | null;
  /** Whether the first line of a CSV has names; null: what its rows tell. */
  readonly hasHeader: boolean | null;
  /** Of a workbook, by its name or its number from 1; null: the first one with addresses. */
  readonly sheet: string | null;
  readonly timeoutMs: number;
  /** Asked for a service; without one this machine asks by itself. */
  readonly server: string | null;
}

interface VerifyOptions {
  readonly file?: string;
  readonly json?: boolean;
  readonly output?: Output;
  readonly emailColumn?: string;
  readonly header?: boolean;
  readonly sheet?: string;
  readonly timeout: number;
  readonly server?: string;
}

/** So many addresses a service is asked about one by one. */
export const MAX_SINGLES = 10;

const help = (name: string) => `
Without --server and MAILSONDE_SERVER this machine asks by itself. A service is asked about up to ${MAX_SINGLES} addresses one by one.
More, a file and standard input are sent to it as a batch, which is deleted once its results are here. Ctrl-C cancels and
deletes it; what it had answered is charged. "mailsonde batch" keeps it.
A table (--file list.csv or list.xlsx) comes back with --output csv, its own columns first.

Exit code for one address: 0 valid, 1 invalid, 2 risky, 3 unknown. For many: 0.
64 wrong usage, 66 unreadable input, 69 no such service, 70 a fault of this program, 78 wrong configuration, 130 interrupted.

Environment, or .env: DNS_SERVERS, DNS_KNOWN_DOMAINS, HELO_NAME, MAIL_FROM, SMTP_PORT, SMTP_CONNECTIONS, MX_ALLOWED_NETWORKS; see .env.example.
Colours: NO_COLOR turns them off, FORCE_COLOR on.

Examples:
  ${name} someone@example.com
  ${name} --json someone@example.com other@example.org
  ${name} --json - < addresses.txt > verdicts.ndjson`;

/** The command line, before anything is parsed. */
export function verifyProgram(): Command {
  return withServer(new Command(programName('verify')))
    .description('Tells whether email addresses can receive mail, and why.')
    .argument('[addresses...]', 'addresses, or "-" for standard input, one address a line')
    .option('--file <path>', 'read addresses from a file: one a line, a CSV, or an Excel workbook')
    .option('--email-column <column>', 'of a table: the column of addresses, by its name or its number from 1')
    .option('--header', 'of a table: its first line has names; default: what its rows tell')
    .option('--no-header', 'of a table: its first line is a row')
    .option('--sheet <sheet>', 'of a workbook: by its name or its number from 1; default: the first one with addresses')
    .addOption(
      new Option('--output <format>', 'a table for people, or data for programs, in the order given').choices(OUTPUTS),
    )
    .option('--json', 'print one line of JSON an address: --output ndjson')
    .addOption(
      new Option('--timeout <ms>', 'for one address: milliseconds after which the verdict is unknown')
        .default(15_000)
        .argParser(milliseconds),
    )
    .option('--no-color', 'print without colours')
    .addHelpText('after', help(programName('verify')))
    .exitOverride()
    .showHelpAfterError(HELP_HINT);
}

/** @throws CommanderError after the mistake, or the help that was asked for, has been printed */
export function parseVerifyArguments(argv: readonly string[]): VerifyArguments {
  const command = verifyProgram().parse(argv, { from: 'user' });
  const { file, json, output, emailColumn, header, sheet, timeout, server } = command.opts<VerifyOptions>();
  return {
    source: sourceOf(command, file),
    output: output ?? (json ? 'ndjson' : null),
    emailColumn: emailColumn ?? null,
    hasHeader: header ?? null,
    sheet: sheet ?? null,
    timeoutMs: timeout,
    server: server ?? null,
  };
}

function sourceOf(command: Command, file: string | undefined): VerifyArguments['source'] {
  const { args } = command;
  if (file !== undefined && args.length === 0) return { kind: 'file', path: file };
  if (file !== undefined) command.error('error: addresses and --file exclude each other');
  if (args.length === 1 && args[0] === '-') return { kind: 'stdin' };
  if (args.includes('-')) command.error('error: "-" stands alone');
  if (args.length === 0) command.error('error: no address given');
  const list = args.find((one) => !one.includes('@') && existsSync(one));
  if (list !== undefined)
    command.error(`error: ${printable(list)} is a file: "${programName('verify')} --file <path>" reads its addresses`);
  return { kind: 'given', addresses: args };
}

function milliseconds(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1_000 || value > 60_000) {
    throw new InvalidArgumentError('1000 to 60000 are allowed.');
  }
  return value;
}
