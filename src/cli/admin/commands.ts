import type { Actor } from '../../admin/actor.js';
import type { components, paths } from '../../client/documents/admin.js';
import { type Asker, type CommandOf, option, routeCommands, type Showing } from '../terminal/route-commands.js';
import type { DatabaseProgram } from './database-program.js';

/** The bodies of `/admin/v1`, by the names that its OpenAPI document gives them. */
export type AdminSchemas = components['schemas'];

/** How a command does its work and prints the reply: `ask` by the running service. */
export interface Run extends Asker<paths> {
  /** On the database, whether a service runs or not: for what needs no key, and what HTTP has no route for. */
  onDatabase<T extends object>(
    work: (program: DatabaseProgram, actor: Actor) => Promise<T>,
    showing?: Showing<T> & {
      /** Whether the command makes sense on a database that it makes itself, as the first of all does. */
      readonly mayMakeDatabase?: boolean;
    },
  ): Promise<void>;
}

export type AdminCommandOf = CommandOf<Run>;

/** A command that asks one route of administrators. */
export const asks = routeCommands<paths, '/admin/v1'>('/admin/v1');

/** For the audit log. */
export const REASON = option('--reason <text>', 'why, for the audit log').makeOptionMandatory();
