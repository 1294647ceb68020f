import { Command, Option } from 'commander';
import type { AccountSchemas } from '../client/client.js';
import { VERDICT_EXITS } from './terminal/exit-codes.js';
import { type FormOptions, programName, type ServerOptions, withForm, withServer } from './terminal/command-line.js';
import { printable } from './terminal/print.js';
import { runServerCommand } from './terminal/run-server-command.js';
import { openClient } from './terminal/server-access.js';

const HELP = `
Exit code: 0 valid, 1 invalid (nobody was found), 2 risky, 3 unknown; refusals are 1 too, with a sentence on standard error.
64 wrong usage, 69 no such service, 78 wrong configuration, 130 interrupted.

Example:
  mailsonde find "Jane Doe" example.com`;

interface FindOptions extends ServerOptions, FormOptions {
  readonly maxCredits?: string;
}

await runServerCommand(({ signal }, done) =>
  withForm(withServer(new Command(programName('find'))))
    .description('Finds the address of a person at a domain, verified. For full accounts.')
    .argument('<name>', 'whole name of the person')
    .argument('<domain>', 'of the company, or its web address')
    .addOption(new Option('--max-credits <credits>', 'refuse when it may cost more'))
    .addHelpText('after', HELP)
    .action(async (name: string, domain: string, { output, maxCredits, ...access }: FindOptions, command: Command) => {
      const person = { full_name: name, domain, ...(maxCredits !== undefined && { max_credits: Number(maxCredits) }) };
      const finding = await openClient(command, access).find(person, { signal });
      process.stdout.write(output === 'json' ? `${JSON.stringify(finding)}\n` : findingText(finding));
      done(VERDICT_EXITS[finding.verdict]);
    }),
);

function findingText({
  email,
  verdict,
  reason,
  confidence,
  pattern,
  alternatives,
}: AccountSchemas['FindingReply']): string {
  const rows = [
    ['reason', reason],
    ['confidence', String(confidence)],
    ['pattern', pattern],
    ...alternatives.map((other) => ['or', `${other.email} (${other.confidence})`]),
  ].filter(([, value]) => value != null);
  const lines = rows.map(([label, value]) => `  ${label!.padEnd(14)}${printable(value!)}\n`);
  return `${verdict}  ${printable(email ?? 'nobody was found')}\n${lines.join('')}`;
}
