import { hostname, userInfo } from 'node:os';
import { type Command, CommanderError } from 'commander';
import { ConfigurationError } from '../../platform/config/configuration-error.js';
import { AppError } from '../../platform/errors/app-error.js';
import { ERROR_CATALOG } from '../../platform/errors/error-catalog.js';
import { toAppError } from '../../platform/errors/error-reply.js';
import type { Actor } from '../../admin/actor.js';
import { ServerAwayError } from '../../platform/errors/outage.js';
import {
  EXIT_CONFIGURATION,
  EXIT_FAILURE,
  EXIT_SOFTWARE,
  EXIT_USAGE,
  EXIT_UNAVAILABLE,
} from '../terminal/exit-codes.js';
import { fieldText, refusalText } from '../terminal/refusal-text.js';
import { textOf } from '../terminal/reply-text.js';
import type { Showing } from '../terminal/route-commands.js';
import { forEveryCommand } from '../terminal/run-server-command.js';
import { buildProgram } from './program.js';
import type { DatabaseProgram } from './database-program.js';
import { MailsondeError } from '../../client/mailsonde-error.js';
import type { FormOptions, ServerOptions } from '../terminal/command-line.js';
import type { createAdminClient } from '../../client/client.js';

export interface Terminal {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

/** A service that is asked. */
export interface ServiceConnection {
  readonly url: string;
  readonly api: ReturnType<typeof createAdminClient>;
}

/** What commands work with; either is called once a command is to be done, not for help and mistakes. */
export interface Connections {
  /** @throws ConfigurationError when there is no key; CommanderError for an option that is wrong */
  readonly connect: (options: ServerOptions, command: Command) => Promise<ServiceConnection>;
  /** @param say prints for a person which database the command works on */
  readonly open: (mayMakeDatabase: boolean, say: (line: string) => void) => Promise<DatabaseProgram>;
}

/**
 * Runs one command.
 * @param argv without node and script
 * @returns the exit code
 */
export async function runProgram(
  argv: readonly string[],
  { connect, open }: Connections,
  terminal: Terminal,
): Promise<number> {
  let exitCode = 0;
  let asked: ServiceConnection | null = null;
  const options = () => program.opts<ServerOptions & FormOptions>();
  const show = <T extends object>(reply: T, { isFine, text = textOf }: Showing<T> = {}): void => {
    terminal.out(options().output === 'json' ? `${JSON.stringify(reply)}\n` : text(reply));
    if (isFine?.(reply) === false) exitCode = EXIT_FAILURE;
  };
  const program = buildProgram({
    ask: async (request, showing) => {
      asked = await connect(options(), program);
      const { data } = await request(asked.api);
      show(data!, showing);
    },
    onDatabase: async (work, showing) => {
      const say = (line: string) => options().output === 'json' || terminal.error(`${line}\n`);
      const opened = await open(showing?.mayMakeDatabase ?? false, say);
      try {
        show(await work(opened, operator()), showing);
      } finally {
        await opened.close();
      }
    },
  });
  forEveryCommand(program, (command) =>
    command.exitOverride().configureOutput({ writeOut: terminal.out, writeErr: terminal.error }).showHelpAfterError(),
  );
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
    if (error instanceof MailsondeError) {
      terminal.error(`${refusalText(error)}${whoRefused(error, asked)}\n`);
      return error.code === 'unreachable' ? EXIT_UNAVAILABLE : EXIT_FAILURE;
    }
    const isPlain = error instanceof ConfigurationError || error instanceof ServerAwayError;
    terminal.error(`${isPlain ? error.message : sentenceOf(toAppError(error))}\n`);
    if (error instanceof ConfigurationError) return EXIT_CONFIGURATION;
    return error instanceof AppError ? EXIT_FAILURE : EXIT_SOFTWARE;
  }
}

/** A key that one service does not take may be another's: the address was found in a variable, and is not typed. */
function whoRefused({ status, code }: MailsondeError, asked: ServiceConnection | null): string {
  if (asked === null || (status !== 401 && code !== 'admin_required')) return '';
  const others = 'MAILSONDE_SERVER or --server names another one, MAILSONDE_ADMIN_KEY or --key another key';
  return `\nThe service at ${asked.url} was asked: ${others}.`;
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
