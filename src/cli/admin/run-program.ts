import { hostname, userInfo } from 'node:os';
import { type Command, CommanderError } from 'commander';
import { ConfigurationError } from '../../platform/config/configuration-error.js';
import { AppError } from '../../platform/errors/app-error.js';
import { ERROR_CATALOG } from '../../platform/errors/error-catalog.js';
import { toAppError } from '../../platform/errors/error-reply.js';
import type { Actor } from '../../admin/actor.js';
import type { Administration } from '../../admin/administration.js';
import { ServerAwayError } from '../../platform/errors/outage.js';
import { EXIT_CONFIGURATION, EXIT_FAILURE, EXIT_SOFTWARE, EXIT_USAGE } from '../exit-codes.js';
import { fieldText } from '../server/field-text.js';
import { buildProgram } from './program.js';
import { textOf } from './text.js';

export interface Terminal {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

/** @param say prints for a person which database the command works on */
export type OpenAdministration = (mayMakeDatabase: boolean, say: (line: string) => void) => Promise<Administration>;

/**
 * Runs one command.
 * @param argv without node and script
 * @param open called once a command is to be done, not for help and mistakes
 * @returns the exit code
 */
export async function runProgram(
  argv: readonly string[],
  open: OpenAdministration,
  terminal: Terminal,
): Promise<number> {
  let exitCode = 0;
  const program = buildProgram(async (work, { mayMakeDatabase = false, isFine, text = textOf } = {}) => {
    const { json = false } = program.opts<{ json?: boolean }>();
    const administration = await open(mayMakeDatabase, (line) => json || terminal.error(`${line}\n`));
    try {
      const reply = await work(administration, operator());
      terminal.out(json ? `${JSON.stringify(reply)}\n` : text(reply));
      if (isFine?.(reply) === false) exitCode = EXIT_FAILURE;
    } finally {
      await administration.close();
    }
  });
  forEveryCommand(program, (command) =>
    command.exitOverride().configureOutput({ writeOut: terminal.out, writeErr: terminal.error }).showHelpAfterError(),
  );
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
    const isPlain = error instanceof ConfigurationError || error instanceof ServerAwayError;
    terminal.error(`${isPlain ? error.message : sentenceOf(toAppError(error))}\n`);
    if (error instanceof ConfigurationError) return EXIT_CONFIGURATION;
    return error instanceof AppError ? EXIT_FAILURE : EXIT_SOFTWARE;
  }
}

function forEveryCommand(command: Command, visit: (command: Command) => void): void {
  visit(command);
  for (const inner of command.commands) forEveryCommand(inner, visit);
}

/** Who types, as far as the operating system knows. */
function operator(): Actor {
  return { keyId: null, name: userName(), origin: `command line of ${hostname()}`, claim: null };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`; // A container's user need not have a name.
  }
}

function sentenceOf({ code, details }: AppError): string {
  const fields = (details.fields ?? []).map((one) => `\n  ${fieldText(one)}`).join('');
  const cause = details.cause instanceof Error ? `\n${details.cause.message}` : '';
  return `${details.message ?? ERROR_CATALOG[code][1]} (${code})${fields}${cause}`;
}
