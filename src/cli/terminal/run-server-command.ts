import type { Command } from 'commander';
import { MailsondeError } from '../../client/mailsonde-error.js';
import { EXIT_CANNOT_CREATE, EXIT_FAILURE, EXIT_INTERRUPTED, EXIT_UNAVAILABLE, exitOf } from './exit-codes.js';
import { refusalText } from './refusal-text.js';
import { HELP_HINT } from './command-line.js';
import { endWithOutput } from './print.js';

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
    process.exitCode = stop.signal.aborted ? EXIT_INTERRUPTED : exitOfCall(error);
  }
}

export function forEveryCommand(command: Command, visit: (command: Command) => void): void {
  visit(command);
  for (const inner of command.commands) forEveryCommand(inner, visit);
}

function exitOfCall(error: unknown): number {
  if (error instanceof MailsondeError) {
    process.stderr.write(`${refusalText(error)}\n`);
    return error.code === 'unreachable' ? EXIT_UNAVAILABLE : EXIT_FAILURE;
  }
  if (error instanceof Error && 'syscall' in error) {
    process.stderr.write(`The results cannot be written: ${error.message}\n`);
    return EXIT_CANNOT_CREATE;
  }
  return exitOf(error);
}
