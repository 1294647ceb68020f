import type { Type } from '@nestjs/common';
import { type Command, InvalidArgumentError } from 'commander';
import { InputPipe } from '../../platform/http/input.pipe.js';
import type { Actor } from '../../admin/actor.js';
import type { Administration } from '../../admin/administration.js';

/** Does the work of a command and prints its reply, which is the one that the HTTP interface gives. */
export type Run = <T extends object>(
  work: (administration: Administration, actor: Actor) => Promise<T>,
  options?: RunOptions<T>,
) => Promise<void>;

export interface RunOptions<T> {
  /** Whether the command makes sense on a database that it makes itself, as the first of all do. */
  readonly mayMakeDatabase?: boolean;
  /** Whether the reply is good news; if not, the exit code shows it. */
  readonly isFine?: (reply: T) => boolean;
  /** The reply as text for a person, where one line a field would not do. */
  readonly text?: (reply: T) => string;
}

const inputPipe = new InputPipe();

/** Checks the typed values by the rules of the HTTP interface. @throws AppError `invalid_input` */
export function checked<T extends object>(rules: Type<T>, typed: object): Promise<T> {
  return inputPipe.transform(typed, { type: 'body', metatype: rules }) as Promise<T>;
}

export function whole(text: string): number {
  if (!/^[+-]?\d{1,15}$/.test(text)) throw new InvalidArgumentError('It is not a whole number.');
  return Number(text);
}

/** For commands that change what their options name: npm takes those before which no ` -- ` stands for itself, in silence. */
export function requireOptions(options: object, command: Command): void {
  if (Object.keys(options).length === 0) command.error('error: no option says what to change');
}

/** The options of every listing. */
export function paged(command: Command): Command {
  return command
    .option('--limit <number>', 'rows at most, 1 to 100', '20')
    .option('--cursor <text>', 'next_cursor of the page before');
}
