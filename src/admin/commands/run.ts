import type { Type } from '@nestjs/common';
import { type Command, InvalidArgumentError } from 'commander';
import { InputPipe } from '../../platform/http/input.pipe.js';
import type { Actor } from '../actor.js';
import type { Reply } from '../admin-replies.js';
import type { Administration } from '../administration.js';

/** Does the work of a command and prints its reply, which is the one that the HTTP interface gives. */
export type Run = <T extends Reply>(
  work: (administration: Administration, actor: Actor) => Promise<T>,
  options?: RunOptions<T>,
) => Promise<void>;

export interface RunOptions<T> {
  /** Whether the command makes sense on a database that it makes itself, as the first of all do. */
  readonly mayMakeDatabase?: boolean;
  /** Whether the reply is what one hopes for; else the exit code says so. */
  readonly isFine?: (reply: T) => boolean;
  /** The reply for a person, where a line a field does not tell it. */
  readonly text?: (reply: T) => string;
}

const inputPipe = new InputPipe();

/** Holds what was typed against the rules of the HTTP interface. @throws AppError `invalid_input` */
export function checked<T extends object>(rules: Type<T>, typed: object): Promise<T> {
  return inputPipe.transform(typed, { type: 'body', metatype: rules }) as Promise<T>;
}

export function whole(text: string): number {
  if (!/^[+-]?\d{1,15}$/.test(text)) throw new InvalidArgumentError('It is not a whole number.');
  return Number(text);
}

/** The options of every listing. */
export function paged(command: Command): Command {
  return command
    .option('--limit <number>', 'rows at most, 1 to 100', '20')
    .option('--cursor <text>', 'next_cursor of the page before');
}
