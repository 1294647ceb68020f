import type { Engine, VerifyManyOptions } from '../../src/engine/verification/engine.js';
import type { Verification } from '../../src/engine/types.js';
import type { ScriptedConnection, SmtpScript } from './scripted-smtp-server.js';

type OnLine = NonNullable<SmtpScript['onLine']>;

/** Long enough for any test that does not mean to use it up. */
export const budgetMs = 600_000;

/** `valid mailbox_exists` */
export function verdictAndReason({ verdict, reason }: Verification): string {
  return `${verdict} ${reason}`;
}

/** The address of `RCPT TO:<…>`, null for other commands. */
export function recipientOf(line: string): string | null {
  return /^RCPT TO:<(.*)>/i.exec(line)?.[1] ?? null;
}

export function localPartOf(line: string): string | null {
  const recipient = recipientOf(line);
  return recipient === null ? null : recipient.slice(0, recipient.lastIndexOf('@'));
}

/** An honest server with these mailboxes at any domain. */
export function mailboxes(...known: string[]): OnLine {
  return (line) => {
    const localPart = localPartOf(line);
    return localPart === null || known.includes(localPart) ? undefined : '550 5.1.1 User unknown';
  };
}

/** Answers recipients as `answer` says, undefined for accepted; the rest honestly. */
export function recipients(
  answer: (localPart: string, connection: ScriptedConnection) => ReturnType<OnLine>,
): SmtpScript {
  return {
    onLine: (line, connection) => {
      const localPart = localPartOf(line);
      return localPart === null ? undefined : answer(localPart, connection);
    },
  };
}

/** The commands of a connection without their arguments, such as `EHLO MAIL RCPT RCPT`. */
export function verbs({ lines }: ScriptedConnection): string {
  return lines.map((line) => line.split(' ')[0]!.toUpperCase()).join(' ');
}

/** How many recipients each transaction of a connection named. */
export function recipientsPerTransaction({ lines }: ScriptedConnection): number[] {
  const counts: number[] = [];
  for (const line of lines) {
    if (line.startsWith('MAIL')) counts.push(0);
    else if (line.startsWith('RCPT')) counts[counts.length - 1]! += 1;
  }
  return counts;
}

/** All verdicts of `verifyMany`, in the order of the input; fails on a verdict given twice. */
export async function verifyAll(
  engine: Engine,
  addresses: AsyncIterable<string> | Iterable<string>,
  options?: VerifyManyOptions,
): Promise<Verification[]> {
  const all: Verification[] = [];
  for await (const { index, verification } of engine.verifyMany(addresses, options)) {
    if (all[index] !== undefined) throw new Error(`a second verdict for ${verification.email}`);
    all[index] = verification;
  }
  return all;
}

export function numbered<T>(count: number, name: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => name(index));
}
