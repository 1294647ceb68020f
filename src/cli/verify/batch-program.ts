import { Command, InvalidArgumentError, Option } from 'commander';
import { EXIT_FAILURE } from '../terminal/exit-codes.js';
import { type FormOptions, programName, type ServerOptions, withForm, withServer } from '../terminal/command-line.js';
import type { BatchStatus } from '../../client/client.js';
import { print, printable } from '../terminal/print.js';
import { type Interruption, runServerCommand } from '../terminal/run-server-command.js';
import { openClient } from '../terminal/server-access.js';
import { textOf } from '../terminal/reply-text.js';
import { followBatch, statusText } from './follow-batch.js';
import { LIST_FORMATS, type ListFormat } from './list-file.js';
import { ARCHIVES, formatOf, OUTPUTS, type OutputOptions, writeResults } from './results-output.js';
import { sendList, type SendOptions } from './send-list.js';

type IdOptions = ServerOptions & OutputOptions;

const HELP = `
The list may be CSV, an Excel workbook (.xlsx), lines, NDJSON or JSON, each also packed with gzip. Its content says which;
--format says it where that is wrong.
Everything but results is said on standard error.

Exit code: 0 done, 1 refused, or the batch did not complete. 64 wrong usage, 66 unreadable list, 69 no such service,
78 wrong configuration, 130 interrupted: then it says how to go on, and nothing is charged twice.

Examples:
  mailsonde batch send customers.csv --wait --to verified.csv
  mailsonde batch send addresses.txt --max-credits 500        prints the id of the batch
  mailsonde batch results 52018273645512 --output ndjson --verdict invalid,risky`;

export const runBatch = (): Promise<void> => runServerCommand(batchProgram);

/** The command line of lists: send, wait, results and what else a batch needs. */
export function batchProgram(interruption: Interruption, done: (exitCode: number) => void): Command {
  const program = new Command(programName('batch'))
    .description('Verifies lists by a service.')
    .addHelpText('after', HELP);
  program.addCommand(sendCommand(interruption, done), { isDefault: true });
  withOutput(withServer(program.command('wait').argument('<batch>', 'its id', id)))
    .description('Wait until a batch has ended; with --output or --to, get its results.')
    .action(async (batch: number, options: IdOptions, command: Command) => {
      const client = openClient(command, options);
      const { status } = await followBatch(client, batch, interruption, goesOn(batch));
      if (formatOf(options, null) !== null) await writeResults(client, batch, options, interruption);
      done(status === 'completed' ? 0 : EXIT_FAILURE);
    });
  withOutput(withServer(program.command('results').argument('<batch>', 'its id', id)))
    .description('Get the results of a batch that has ended.')
    .action(async (batch: number, options: IdOptions, command: Command) =>
      writeResults(openClient(command, options), batch, options, interruption),
    );
  withForm(withServer(program.command('status').argument('<batch>', 'its id', id)))
    .description('Tell how far a batch is.')
    .action(async (batch: number, options: ServerOptions & FormOptions, command: Command) => {
      const status = await openClient(command, options).getBatch(batch, interruption);
      await print(options.output === 'json' ? `${JSON.stringify(status)}\n` : textOf(status));
    });
  withForm(withServer(program.command('list')))
    .description('List the newest batches; as JSON, one line each.')
    .addOption(new Option('--limit <number>', 'so many at most').default(20).argParser(whole))
    .action(
      async ({ output, limit, ...options }: ServerOptions & FormOptions & { limit: number }, command: Command) => {
        const batches: BatchStatus[] = [];
        for await (const batch of openClient(command, options).batches(interruption))
          if (batches.push(batch) >= limit) break;
        const lines = batches.map((batch) => `${JSON.stringify(batch)}\n`);
        await print(output === 'json' ? lines.join('') : textOf({ batches: batches.map(rowOf) }));
      },
    );
  withServer(program.command('start').argument('<batch>', 'its id', id))
    .description('Begin a batch that was sent with --hold.')
    .addOption(new Option('--max-credits <credits>', 'refuse when it may cost more').argParser(whole))
    .action(async (batch: number, options: ServerOptions & { maxCredits?: number }, command: Command) => {
      const body = options.maxCredits === undefined ? {} : { max_credits: options.maxCredits };
      console.error(statusText(await openClient(command, options).startBatch(batch, body, interruption)));
    });
  withServer(program.command('cancel').argument('<batch>', 'its id', id))
    .description('Cancel a batch that runs. One that has ended is deleted, with every address.')
    .action(async (batch: number, options: ServerOptions, command: Command) => {
      const reply = await openClient(command, options).removeBatch(batch, interruption);
      console.error('status' in reply ? statusText(reply) : `Batch ${batch} was deleted.`);
    });
  return program;
}

function sendCommand(interruption: Interruption, done: (exitCode: number) => void): Command {
  return withOutput(withServer(new Command('send')))
    .argument('<list>', 'a file, or "-" for standard input')
    .description('Send a list; prints the id of its batch, unless --wait.')
    .addOption(new Option('--format <format>', 'of the list').choices(Object.keys(LIST_FORMATS) as ListFormat[]))
    .option('--name <name>', 'its name; default: that of the file')
    .option('--email-column <column>', 'of a table: the column of addresses, by its name or its number from 1')
    .option('--header', 'of a table: its first line has names; default: what its rows tell')
    .option('--no-header', 'of a table: its first line is a row')
    .option('--sheet <sheet>', 'of a workbook: by its name or its number from 1; default: the first one with addresses')
    .addOption(new Option('--delimiter <delimiter>', 'of a CSV').choices(['comma', 'semicolon', 'tab', 'bar']))
    .addOption(new Option('--max-credits <credits>', 'refuse when it may cost more').argParser(whole))
    .addOption(new Option('--reuse-days <days>', 'take own verdicts that are so young, for nothing').argParser(whole))
    .addOption(new Option('--retry-window <seconds>', 'try answers again that time may change').argParser(whole))
    .addOption(new Option('--retention-days <days>', 'delete it so long after its end').argParser(whole))
    .option('--hold', 'only count it and tell its price; "batch start" begins it')
    .option('--wait', 'wait for its end; with --output or --to, get its results')
    .option('--idempotency-key <key>', 'of a list that was sent before: it is taken in once')
    .action(async (list: string, options: SendOptions & IdOptions & { wait?: boolean }, command: Command) => {
      const isWanted = formatOf(options, null) !== null;
      if (isWanted && !options.wait) command.error('error: --output and --to need --wait');
      if (options.hold && options.wait) command.error('error: --hold and --wait exclude each other');
      const client = openClient(command, options);
      const taken = await sendList(client, list, options, interruption);
      if (!options.wait) {
        process.stdout.write(`${taken.id}\n`);
        return;
      }
      const fate = goesOn(taken.id, isWanted ? ' with the same --output and --to' : '');
      const { status } = await followBatch(client, taken.id, interruption, fate);
      if (isWanted) await writeResults(client, taken.id, options, interruption);
      done(status === 'completed' ? 0 : EXIT_FAILURE);
    });
}

function rowOf({ id: batch, name, status, processed, total_emails, counts, credits_charged }: BatchStatus): object {
  return { id: batch, name, status, answered: processed, rows: total_emails, ...counts, credits: credits_charged };
}

export function withOutput(command: Command): Command {
  return command
    .addOption(
      new Option('--output <format>', 'of the results; default: what the ending of --to says, else csv').choices([
        ...OUTPUTS,
        ...ARCHIVES,
      ]),
    )
    .option('--to <path>', 'write the results to a file, which appears once it is whole; default: standard output')
    .option('--verdict <list>', 'only rows with one of these verdicts, such as "invalid,risky"')
    .option('--reason <list>', 'only rows with one of these reasons')
    .option('--fields <list>', 'of csv, xlsx and zip: the result columns, or "all"')
    .hook('preAction', (_program, given) => {
      const { output, to } = given.opts<OutputOptions>();
      const isArchive = ARCHIVES.some((one) => one === output);
      if (isArchive && to === undefined) given.error(`error: --output ${output} needs --to, the path of a file`);
    });
}

function whole(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It is not a whole number.');
  return Number(text);
}

export function id(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError(`"${printable(text)}" is no id of a batch.`);
  return Number(text);
}

/** @param how further words of the command that waits again */
function goesOn(batch: number, how = ''): string {
  return `goes on by itself: "mailsonde batch wait ${batch}${how}" waits again, "mailsonde batch cancel ${batch}" ends it.`;
}
