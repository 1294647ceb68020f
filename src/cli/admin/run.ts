import { type Command, InvalidArgumentError } from 'commander';
import type { Actor } from '../../admin/actor.js';
import type { Client } from 'openapi-fetch';
import type { DatabaseProgram } from './database-program.js';
import type { components, paths } from '../../client/documents/admin.js';

/** The bodies of `/admin/v1`, by the names that its OpenAPI document gives them. */
export type AdminSchemas = components['schemas'];
export type AdminApi = Client<paths>;

/** How a command does its work and prints the reply. */
export interface Run {
  /** By the running service: the reply is the one of the HTTP interface. */
  ask<T extends object>(request: (api: AdminApi) => Promise<{ data?: T }>, showing?: Showing<T>): Promise<void>;
  /** On the database, whether a service runs or not: for what needs no key, and what HTTP has no route for. */
  onDatabase<T extends object>(
    work: (program: DatabaseProgram, actor: Actor) => Promise<T>,
    showing?: Showing<T> & {
      /** Whether the command makes sense on a database that it makes itself, as the first of all does. */
      readonly mayMakeDatabase?: boolean;
    },
  ): Promise<void>;
}

export interface Showing<T> {
  /** Whether the reply is good news; if not, the exit code shows it. */
  readonly isFine?: (reply: T) => boolean;
  /** The reply as text for a person, where one line a field would not do. */
  readonly text?: (reply: T) => string;
}

/** The parameters of a route about one thing. What is typed is handed on as it is: the service says of a text that it is no id. */
export const ofId = (id: string) => ({ params: { path: { id: id as never } } });

export interface PageOptions {
  readonly limit: number;
  readonly cursor?: string;
}

/** The options of every listing. */
export function paged(command: Command): Command {
  return command
    .option('--limit <number>', 'rows at most, 1 to 100', whole, 20)
    .option('--cursor <text>', 'next_cursor of the page before');
}

export interface ReasonOptions {
  readonly reason: string;
}

export function whole(text: string): number {
  if (!/^[+-]?\d{1,15}$/.test(text)) throw new InvalidArgumentError('It is not a whole number.');
  return Number(text);
}

/** A command line has no null: an empty text stands for it. */
export function orNull<T>(typed: T | '' | undefined): T | null | undefined {
  return typed === '' ? null : typed;
}

/** For commands that change what their options name: npm takes those before which no ` -- ` stands for itself, in silence. */
export function requireOptions(options: object, command: Command): void {
  if (Object.keys(options).length === 0) command.error('error: no option says what to change');
}
