import type { Command } from 'commander';
import { contentOf } from '../../client/batch-client.js';
import type { AccountClient, BatchStatus } from '../../client/client.js';
import type { Verdict } from '../../engine/types.js';
import type { FullVerificationReply } from '../../presenting/verification.reply.js';
import { followBatch } from './follow-batch.js';
import { type VerdictRow, writeResults } from './results-output.js';
import { sendList } from './send-list.js';
import { verdictOutput } from './verdict-output.js';
import { EXIT_FAILURE, VERDICT_EXITS } from '../terminal/exit-codes.js';
import { beforeOutputEnds, print, printable } from '../terminal/print.js';
import { MAX_SINGLES, type VerifyArguments, verifyProgram } from './verify-arguments.js';
import { type Interruption, runServerCommand } from '../terminal/run-server-command.js';
import type { ServerOptions } from '../terminal/command-line.js';
import { openClient } from '../terminal/server-access.js';

const MAX_IN_FLIGHT = 5;

/** `verify` by a service, which keeps no batch of it. @returns the exit code */
export async function verifyByServer(given: VerifyArguments): Promise<number> {
  await runServerCommand((interruption, done) =>
    verifyProgram().action(async (_addresses: unknown, options: ServerOptions, command: Command) => {
      const client = openClient(command, options);
      const { source, output } = given;
      // A score is in the file of a list only.
      const isFew = source.kind === 'given' && source.addresses.length <= MAX_SINGLES && output !== 'csv';
      done(
        isFew
          ? await verifyEach(client, source.addresses, given, interruption)
          : await verifyAsList(client, given, interruption),
      );
    }),
  );
  return Number(process.exitCode ?? 0);
}

async function verifyEach(
  client: AccountClient,
  addresses: readonly string[],
  { output, timeoutMs }: VerifyArguments,
  interruption: Interruption,
): Promise<number> {
  const { signal } = interruption;
  const told: VerdictRow[] = [];
  let next = 0;
  const askNext = async (): Promise<Headers> => {
    const at = next++;
    const body = { email: addresses[at]!, timeout_ms: timeoutMs };
    const { data, response } = await client.api.POST('/api/v1/verify', { body, signal });
    told[at] = contentOf<VerdictRow>({ data });
    interruption.standing = `${Object.keys(told).length} of ${addresses.length} addresses were answered; they are charged.`;
    return response.headers;
  };
  const askOthers = async (): Promise<void> => {
    while (next < addresses.length) await askNext();
  };
  const work = async (): Promise<void> => {
    const permits = permitsIn(await askNext());
    const ends = await Promise.allSettled(Array.from({ length: Math.min(permits, MAX_IN_FLIGHT) }, askOthers));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  };
  try {
    await work();
  } finally {
    // What was charged is shown, whatever became of the others.
    const written = output === null ? PLAIN : verdictOutput(output, null);
    const rows = Object.values(told).map((one) => written.row(one as VerdictRow & FullVerificationReply, 0));
    if (rows.length > 0) await print(written.head + rows.join('') + written.tail);
  }
  const [only, ...others] = told;
  return others.length > 0 ? 0 : VERDICT_EXITS[(only!.verdict ?? only!.result)!];
}

/** How many requests of this key may run at once. */
function permitsIn(headers: Headers): number {
  return Number(/"in-flight";q=(\d+)/.exec(headers.get('ratelimit-policy') ?? '')?.[1] ?? 1);
}

async function verifyAsList(client: AccountClient, given: VerifyArguments, interruption: Interruption) {
  const { output } = given;
  const id = await send(client, given, interruption);
  let ended: BatchStatus;
  beforeOutputEnds(() => removeBatch(client, id));
  try {
    ended = await followBatch(client, id, interruption, 'is removed from the service.');
    if (output !== null) await writeResults(client, id, { output }, interruption);
    else for await (const row of client.results(id, {}, interruption)) await print(PLAIN.row(row));
  } finally {
    beforeOutputEnds(async () => {});
    interruption.standing = await removeBatch(client, id);
  }
  if (ended.status !== 'completed') return EXIT_FAILURE;
  const verdicts = Object.keys(VERDICT_EXITS) as Verdict[];
  const isOne = given.source.kind === 'given' && ended.total_emails === 1;
  return isOne ? VERDICT_EXITS[verdicts.find((one) => ended.counts[one] === 1)!] : 0;
}

async function send(client: AccountClient, given: VerifyArguments, interruption: Interruption): Promise<number> {
  const { source, emailColumn, hasHeader, sheet } = given;
  if (source.kind === 'given') {
    // Not interrupted half-way: the batch would stay, and nobody would know its id.
    const { id } = await client.submitBatch({ emails: [...source.addresses] });
    return id;
  }
  const settings = {
    ...(emailColumn !== null && { emailColumn }),
    ...(hasHeader !== null && { header: hasHeader }),
    ...(sheet !== null && { sheet }),
  };
  return (await sendList(client, source.kind === 'file' ? source.path : '-', settings, interruption)).id;
}

/** Deletes a batch; one that runs is cancelled first. @returns what to say of it to who interrupted the command */
async function removeBatch(client: AccountClient, id: number): Promise<string> {
  try {
    const reply = await client.removeBatch(id);
    if (!('status' in reply)) return `Batch ${id} was deleted from the service.`;
    await client.removeBatch(id);
    return `Batch ${id} was cancelled and deleted from the service; what it had answered is charged.`;
  } catch (error) {
    process.stderr.write(`Batch ${id} is still on the service: ${printable((error as Error).message)}\n`);
    return `"mailsonde batch cancel ${id}" removes it.`;
  }
}

const PLAIN = {
  head: '',
  row: ({ email, verdict, result, reason }: VerdictRow) =>
    `${(verdict ?? result!).padEnd('invalid'.length)} ${printable(email)}  ${reason}\n`,
  tail: '',
};
