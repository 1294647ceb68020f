import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import type { Client } from 'openapi-fetch';
import type { Actor } from '../../admin/actor.js';
import type { components, paths } from '../../client/documents/admin.js';
import type { DatabaseProgram } from './database-program.js';

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

export type CommandOf = (run: Run) => Command;

/** The routes of a method as the OpenAPI document has them, such as `POST /accounts/{id}/suspend`. */
type RoutesOf<M extends 'get' | 'post' | 'patch' | 'delete'> = {
  [
    Path in keyof paths as Path extends `/admin/v1${infer Rest}`
      ? paths[Path][M] extends object
        ? `${Uppercase<M>} ${Rest}`
        : never
      : never
  ]: paths[Path][M];
};
type Routes = RoutesOf<'get'> & RoutesOf<'post'> & RoutesOf<'patch'> & RoutesOf<'delete'>;

type Json<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : never;

type KeysOf<T> = T extends unknown ? keyof T : never;

/** What a route takes: the members of its body, and those of its query. */
type Inputs<Asked> =
  | (Asked extends { requestBody?: infer Body } ? KeysOf<Json<NonNullable<Body>>> : never)
  | (Asked extends { parameters: { query?: infer Query } } ? KeysOf<NonNullable<Query>> : never);

/** What a route replies; a command makes it up where there is nothing to reply. */
type ReplyOf<Asked> = Asked extends { responses: infer Replies }
  ? { [Status in keyof Replies & (200 | 201)]: Json<Replies[Status]> }[keyof Replies & (200 | 201)]
  : never;

type Snake<Text extends string> = Text extends `${infer First}-${infer Rest}` ? `${First}_${Snake<Rest>}` : Text;
type LongName<Flags extends string> = Flags extends `--${infer Name} ${string}`
  ? Snake<Name>
  : Flags extends `--${infer Name}`
    ? Snake<Name>
    : never;

/** An option that is a member of what a route takes. */
class InputOption<Member extends string> extends Option {
  constructor(
    flags: string,
    description: string,
    readonly member: Member,
  ) {
    super(flags, description);
  }

  /** What the member is for what was typed. */
  sent: (typed: unknown) => unknown = (typed) => typed;

  /** A command line has no null: what is typed stands for it, an empty text where it has a value. */
  orNull(isNull: (typed: unknown) => boolean = (typed) => typed === ''): this {
    this.sent = (typed) => (isNull(typed) ? null : typed);
    return this;
  }
}

/** @param member where it is not called as the option is, such as `account_id` for `--account` */
export function option<const Flags extends string, Member extends string = LongName<Flags>>(
  flags: Flags,
  description: string,
  member?: Member,
): InputOption<Member> {
  const named = /^--([a-z-]+)/.exec(flags)![1]!.replaceAll('-', '_') as Member;
  return new InputOption(flags, description, member ?? named);
}

/** The options of every listing. */
export const PAGE = [
  option('--limit <number>', 'rows at most, 1 to 100').argParser(whole).default(20),
  option('--cursor <text>', 'next_cursor of the page before'),
];

/** For the audit log. */
export const REASON = option('--reason <text>', 'why, for the audit log').makeOptionMandatory();

/**
 * A command that asks one route. The compiler holds route, options and reply against the OpenAPI document.
 * @param usage as it is typed, such as `suspend <account>`: the argument is the id in the route, where that has one
 */
export function asks<R extends keyof Routes>(
  usage: string,
  description: string,
  route: R,
  how: {
    readonly options?: readonly InputOption<Inputs<Routes[R]> & string>[];
    readonly argument?: {
      readonly description?: string;
      /** The member that it is, where it is no id. */
      readonly member?: Inputs<Routes[R]> & string;
      readonly read?: (typed: string) => unknown;
      /** What stands for it when nothing was typed. */
      readonly absent?: () => Promise<string>;
      /** The route that is asked instead when nothing was typed. */
      readonly absentRoute?: keyof Routes;
    };
    /** The reply where the route has none. */
    readonly done?: (id: string) => object;
  } & Showing<ReplyOf<Routes[R]>> = {},
): CommandOf {
  const { options = [], argument = {}, done } = how;
  const [name, placeholder] = usage.split(' ');
  return (run) => {
    const command = new Command(name).description(description);
    for (const one of options) command.addOption(one);
    if (placeholder !== undefined) {
      const made = new Argument(placeholder, argument.description);
      const { read } = argument;
      command.addArgument(read === undefined ? made : made.argParser((text) => (isEmpty(text) ? text : read(text))));
    }
    return command.action(async (...given: unknown[]) => {
      const first = placeholder === undefined ? undefined : given[0];
      // A shell makes an empty text of a variable that is not set, and a route without its id is another route, or none.
      if ([first].flat().some(isEmpty))
        command.error(`error: an empty text was typed for ${placeholder}. Nothing was asked.`);
      const typed = command.opts<Record<string, unknown>>();
      // npm takes options before which no ` -- ` stands for itself, in silence.
      if (route.startsWith('PATCH') && options.length > 0 && Object.keys(typed).length === 0)
        command.error('error: no option says what to change');
      const input: Record<string, unknown> = {};
      for (const one of options) {
        const value = typed[one.attributeName()];
        if (value !== undefined) input[one.member] = one.sent(value);
      }
      await run.ask(async (api) => {
        const id = first === undefined ? await argument.absent?.() : first;
        if (argument.member !== undefined) input[argument.member] = id;
        const body = options.length > 0 || argument.member !== undefined ? input : undefined;
        const { data } = await request(api, (first === undefined && argument.absentRoute) || route, id, body);
        return { data: done?.(id as string) ?? data } as { data: ReplyOf<Routes[R]> & object };
      }, how);
    });
  };
}

function isEmpty(typed: unknown): boolean {
  return typeof typed === 'string' && typed.trim() === '';
}

/** What is typed as an id is handed on as it is: the service says of a text that it is no id. */
function request(api: AdminApi, route: string, id: unknown, input: object | undefined): Promise<{ data?: object }> {
  const [method, path] = route.split(' ') as [string, string];
  const isQuery = method === 'GET' || method === 'DELETE';
  // `asks` has held the input against the document.
  const ask = api.request as (method: string, path: string, init: object) => Promise<{ data?: object }>;
  const asked = isQuery ? { params: { path: { id }, query: input } } : { params: { path: { id } }, body: input };
  return ask(method.toLowerCase(), `/admin/v1${path}`, asked);
}

/** Commands under a common name. */
export function group(name: string, description: string, commands: readonly CommandOf[]): CommandOf {
  return (run) => {
    const made = new Command(name).description(description);
    for (const command of commands) made.addCommand(command(run));
    return made;
  };
}

export function whole(text: string): number {
  if (!/^[+-]?\d{1,15}$/.test(text)) throw new InvalidArgumentError('It is not a whole number.');
  return Number(text);
}
