import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import type { Client } from 'openapi-fetch';

/** Sends the requests of commands and prints the replies. */
export interface Asker<Paths extends object> {
  ask<T extends object>(
    request: (api: Client<Paths>) => Promise<{ data?: T }>,
    showing: Showing<T>,
    command: Command,
  ): Promise<void>;
  readonly signal?: AbortSignal;
}

export interface Showing<T> {
  /** Whether the reply is good news; if not, the exit code shows it. */
  readonly isFine?: (reply: T) => boolean;
  /** The reply as text for a person, where one line a field would not do. */
  readonly text?: (reply: T) => string;
}

export type CommandOf<Run> = (run: Run) => Command;

/** The routes of a method as the OpenAPI document has them, such as `POST /accounts/{id}/suspend`. */
type RoutesBy<Method extends string, Paths, Prefix extends string> = {
  [
    Path in keyof Paths as Path extends `${Prefix}${infer Rest}`
      ? Paths[Path] extends Record<Method, object>
        ? `${Uppercase<Method>} ${Rest}`
        : never
      : never
  ]: Paths[Path] extends Record<Method, infer Asked> ? Asked : never;
};
type Routes<Paths, Prefix extends string> = RoutesBy<'get', Paths, Prefix> &
  RoutesBy<'post', Paths, Prefix> &
  RoutesBy<'patch', Paths, Prefix> &
  RoutesBy<'delete', Paths, Prefix>;

type Json<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : never;

type KeysOf<T> = T extends unknown ? keyof T : never;

/** What a route takes: the members of its body, and those of its query. */
type Inputs<Asked> =
  | (Asked extends { requestBody?: infer Body } ? KeysOf<Json<NonNullable<Body>>> : never)
  | (Asked extends { parameters: { query?: infer Query } } ? KeysOf<NonNullable<Query>> : never);

type Success = 200 | 201 | 202;

/** What a route replies; a command makes it up where there is nothing to reply. */
type ReplyOf<Asked> = Asked extends { responses: infer Replies }
  ? { [Status in keyof Replies & Success]: Json<Replies[Status]> }[keyof Replies & Success]
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

interface How<Known, R extends keyof Known> extends Showing<ReplyOf<Known[R]>> {
  readonly options?: readonly InputOption<Inputs<Known[R]> & string>[];
  readonly argument?: {
    readonly description?: string;
    /** The member that it is, where it is no id. */
    readonly member?: Inputs<Known[R]> & string;
    readonly read?: (typed: string) => unknown;
    /** What stands for it when nothing was typed. */
    readonly absent?: () => Promise<string>;
    /** The route that is asked instead when nothing was typed. */
    readonly absentRoute?: keyof Known & string;
  };
  /** Members that the command itself says. */
  readonly says?: { readonly [Member in Inputs<Known[R]> & string]?: unknown };
  /** The reply where the route has none. */
  readonly done?: (id: string) => object;
}

/** Makes commands of the routes below a prefix. The compiler holds route, options and reply against the OpenAPI document. */
export function routeCommands<Paths extends object, Prefix extends string>(prefix: Prefix) {
  type Known = Routes<Paths, Prefix>;
  /**
   * A command that asks one route.
   * @param usage as it is typed, such as `suspend <account>`: the arguments are the parameters of the path, in their order
   */
  return function asks<R extends keyof Known & string>(
    usage: string,
    description: string,
    route: R,
    how: How<Known, R> = {},
  ): CommandOf<Asker<Paths>> {
    const { options = [], argument = {}, says, done } = how;
    const [name, ...placeholders] = usage.split(' ');
    return (run) => {
      const command = new Command(name).description(description);
      for (const one of options) command.addOption(one);
      for (const placeholder of placeholders) {
        const made = new Argument(placeholder, argument.description);
        const { read } = argument;
        command.addArgument(read === undefined ? made : made.argParser((text) => (isEmpty(text) ? text : read(text))));
      }
      return command.action(async (...given: unknown[]) => {
        const args = given.slice(0, placeholders.length);
        // A shell makes an empty text of a variable that is not set, and a route without its id is another route, or none.
        const empty = args.findIndex((one) => [one].flat().some(isEmpty));
        if (empty >= 0) command.error(`error: an empty text was typed for ${placeholders[empty]}. Nothing was asked.`);
        const typed = command.opts<Record<string, unknown>>();
        // npm takes options before which no ` -- ` stands for itself, in silence.
        if (route.startsWith('PATCH') && options.length > 0 && !options.some((one) => one.attributeName() in typed))
          command.error('error: no option says what to change');
        const input: Record<string, unknown> = { ...says };
        for (const one of options) {
          const value = typed[one.attributeName()];
          if (value !== undefined) input[one.member] = one.sent(value);
        }
        const [first] = args;
        const hasInput = options.length > 0 || argument.member !== undefined || says !== undefined;
        await run.ask(
          async (api) => {
            if (argument.member !== undefined)
              input[argument.member] = first === undefined ? await argument.absent?.() : first;
            const asked = (first === undefined && argument.absentRoute) || route;
            const [method, path] = asked.split(' ') as [string, string];
            const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, one], index) => [one, args[index]]);
            const params = { path: Object.fromEntries(names) as object };
            const isQuery = method === 'GET' || method === 'DELETE';
            const sent = hasInput ? input : undefined;
            const init = isQuery ? { params: { ...params, query: sent } } : { params, body: sent };
            // The parameters of `asks` were held against the document.
            const send = api.request as (method: string, path: string, init: object) => Promise<{ data?: object }>;
            const { data } = await send(method.toLowerCase(), `${prefix}${path}`, { ...init, signal: run.signal });
            return { data: done?.(first as string) ?? data } as { data: ReplyOf<Known[R]> & object };
          },
          how,
          command,
        );
      });
    };
  };
}

function isEmpty(typed: unknown): boolean {
  return typeof typed === 'string' && typed.trim() === '';
}

/** Commands under a common name. */
export function group<Run>(name: string, description: string, commands: readonly CommandOf<Run>[]): CommandOf<Run> {
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
