import type { Command } from 'commander';
import type { AccountClient } from '../../client/client.js';
import type { Verdict } from '../../engine/types.js';
import { followBatch } from './follow-batch.js';
import { writeResults } from './results-output.js';
import { sendList } from './send-list.js';
import { VERDICT_EXITS } from '../terminal/exit-codes.js';
import { print, printable } from '../terminal/print.js';
import { type VerifyArguments, verifyProgram } from './verify-arguments.js';
import { type Interruption, runServerCommand } from '../terminal/run-server-command.js';
import type { ServerOptions } from '../terminal/command-line.js';
import { openClient } from '../terminal/server-access.js';

/** Agents are told a `result` where accounts have a `verdict`. */
interface ServerReply {
  readonly email: string;
  readonly verdict?: Verdict;
  readonly result?: Verdict;
  readonly reason: string;
}

/** `verify` by a service: one address by one request, several as a batch. @returns the exit code */
export async function verifyByServer(given: VerifyArguments): Promise<number> {
  await runServerCommand((interruption, done) =>
    verifyProgram().action(async (_addresses: unknown, options: ServerOptions, command: Command) => {
      done(await verify(openClient(command, options), given, interruption));
    }),
  );
  return Number(process.exitCode ?? 0);
}

async function verify(client: AccountClient, given: VerifyArguments, interruption: Interruption): Promise<number> {
  const { source, output, timeoutMs, emailColumn, hasHeader, sheet } = given;
  if (source.kind === 'given' && source.addresses.length === 1) {
    const body = { email: source.addresses[0]!, timeout_ms: timeoutMs };
    const told: ServerReply = await client.verify(body, interruption);
    await print(output === null ? lineOf(told) : `${JSON.stringify(output === 'json' ? [told] : told)}\n`);
    return VERDICT_EXITS[told.verdict ?? told.result!];
  }
  const batch =
    source.kind === 'given'
      ? await client.submitBatch({ emails: [...source.addresses] }, { signal: interruption.signal })
      : await sendList(
          client,
          source.kind === 'file' ? source.path : '-',
          {
            ...(emailColumn !== null && { emailColumn }),
            ...(hasHeader !== null && { header: hasHeader }),
            ...(sheet !== null && { sheet }),
          },
          interruption,
        );
  await followBatch(client, batch.id, interruption, `mailsonde batch wait ${batch.id}`);
  if (output !== null) await writeResults(client, batch.id, { output }, interruption);
  else for await (const row of client.results(batch.id, {}, interruption)) await print(lineOf(row));
  return 0;
}

function lineOf({ email, verdict, result, reason }: ServerReply): string {
  return `${(verdict ?? result!).padEnd('invalid'.length)} ${printable(email)}  ${reason}\n`;
}
