import { type Command, CommanderError } from 'commander';
import { MailsondeError } from '../../client/client.js';
import { ConfigurationError } from '../../platform/config/configuration-error.js';
import {
  EXIT_CANNOT_CREATE,
  EXIT_CONFIGURATION,
  EXIT_FAILURE,
  EXIT_INTERRUPTED,
  EXIT_NO_INPUT,
  EXIT_SOFTWARE,
  EXIT_UNAVAILABLE,
  EXIT_USAGE,
} from '../exit-codes.js';
import { fieldText } from './field-text.js';
import { HELP_HINT } from '../package.js';
import { endWithOutput } from '../print.js';
import { printable } from '../printable.js';
import { UnreadableInput } from '../verify/unreadable-input.js';
import { counted } from '../../platform/counted.js';

/** How far a command came when somebody pressed Ctrl-C, and how to go on. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** What the command would say if it were interrupted now. */
  standing: string;
}

/**
 * Runs a command line that asks a service, and tells its end to a person and to a program.
 * @param build gives the program; its actions return exit codes by `done`
 */
export async function runServerCommand(
  build: (interruption: Interruption, done: (exitCode: number) => void) => Command,
): Promise<void> {
  const stop = new AbortController();
  const interruption = { signal: stop.signal, standing: 'Nothing was done.' };
  // A second Ctrl-C ends the process as every other.
  process.once('SIGINT', () => stop.abort(new Error('interrupted')));
  endWithOutput();
  try {
    const program = build(interruption, (exitCode) => void (process.exitCode = exitCode));
    forEveryCommand(program, (command) => command.exitOverride().showHelpAfterError(HELP_HINT));
    await program.parseAsync(process.argv.slice(2), { from: 'user' });
  } catch (error) {
    if (stop.signal.aborted) process.stderr.write(`\nInterrupted. ${interruption.standing}\n`);
    process.exitCode = stop.signal.aborted ? EXIT_INTERRUPTED : exitOf(error);
  }
}

function forEveryCommand(command: Command, visit: (command: Command) => void): void {
  visit(command);
  for (const inner of command.commands) forEveryCommand(inner, visit);
}

function exitOf(error: unknown): number {
  // Commander has printed it.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  if (error instanceof MailsondeError) {
    process.stderr.write(`${refusalText(error)}\n`);
    return error.code === 'unreachable' ? EXIT_UNAVAILABLE : EXIT_FAILURE;
  }
  if (error instanceof ConfigurationError || error instanceof UnreadableInput) {
    process.stderr.write(`${error.message}\n`);
    return error instanceof UnreadableInput ? EXIT_NO_INPUT : EXIT_CONFIGURATION;
  }
  if (error instanceof Error && 'syscall' in error) {
    process.stderr.write(`The results cannot be written: ${error.message}\n`);
    return EXIT_CANNOT_CREATE;
  }
  console.error(error);
  return EXIT_SOFTWARE;
}

function refusalText({ code, message, requestId, retryAfterMs, details, cause }: MailsondeError): string {
  const fields = Array.isArray(details['fields']) ? (details['fields'] as { field: string; error: string }[]) : [];
  const lines = fields.map((one) => `\n  ${printable(fieldText(one))}`).join('');
  const price = priceText(details);
  const request = requestId === null ? '' : ` Request ${printable(requestId)}.`;
  const later = retryAfterMs === null ? '' : ` Try again in ${Math.ceil(retryAfterMs / 1_000)} s.`;
  const why = code === 'unreachable' && cause instanceof Error ? ` ${reasonOf(cause)}.` : '';
  return `${printable(message)} (${printable(code)})${price}${why}${later}${request}${lines}`;
}

/** How much is missing where credits are; other refusals for the price say it in their sentence. */
function priceText({ required, remaining }: Readonly<Record<string, unknown>>): string {
  if (typeof required !== 'number' || typeof remaining !== 'number') return '';
  return ` It may cost ${counted(required, 'credit')}, and ${counted(remaining, 'is', 'are')} left.`;
}

/** Node's `fetch failed` has the reason behind it. */
function reasonOf({ message, cause }: Error): string {
  return printable(cause instanceof Error && cause.message !== '' ? cause.message : message);
}
