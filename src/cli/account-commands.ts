import { Command } from 'commander';
import { contentOf } from '../client/batch-client.js';
import type { AccountSchemas } from '../client/client.js';
import type { paths } from '../client/documents/account.js';
import { GRACE_SECONDS } from '../keys/scope/key-changes.js';
import { PERMISSIONS } from '../keys/scope/key-scope.js';
import { DELIVERY_STATES } from '../webhooks/delivery-state.js';
import { ceilings, NETWORKS, permitted } from './admin/keys.js';
import { type FormOptions, programName, type ServerOptions, withForm, withServer } from './terminal/command-line.js';
import { EXIT_FAILURE } from './terminal/exit-codes.js';
import { print } from './terminal/print.js';
import { textOf } from './terminal/reply-text.js';
import { type Asker, type CommandOf, group, option, PAGE, routeCommands, whole } from './terminal/route-commands.js';
import { forEveryCommand, type Interruption, runServerCommand } from './terminal/run-server-command.js';
import { openClient } from './terminal/server-access.js';
import { id, withOutput } from './verify/batch-program.js';
import { type OutputOptions, writeResults } from './verify/results-output.js';

/* What customers do with their own key: one command a route. */

interface AccountRun extends Asker<paths> {
  readonly interruption: Interruption;
  readonly done: (exitCode: number) => void;
}

const asks = routeCommands<paths, '/api/v1'>('/api/v1');
const removed = (one: string) => ({ id: one, deleted: true });

const keys = group<AccountRun>('keys', 'The API keys of the account.', [
  asks('list', 'List keys, newest first.', 'GET /keys', {
    options: PAGE,
    text: ({ keys: rows, ...page }) => textOf({ ...page, keys: rows.map(keyRow) }),
  }),
  asks('create', 'Create a key. It is shown once.', 'POST /keys', {
    options: [
      option('--name <text>', 'what it is for'),
      option('--kind <kind>', 'its mode').choices(['live', 'test']).default('live'),
      option('--expires-at <time>', 'such as 2027-01-31T12:00:00Z; without it, when your own key does'),
      permitted(`what it may do: ${PERMISSIONS.join(', ')}; all without it`),
      NETWORKS,
      ...ceilings(whole),
    ],
  }),
  asks('change <key>', 'Change what a key is for and what it may do.', 'PATCH /keys/{id}', {
    options: [
      option('--name <text>', 'what it is for'),
      permitted('what it may do').conflicts('allPermissions'),
      option('--all-permissions', 'let it do everything', 'permissions').orNull(() => true),
    ],
  }),
  asks('rotate <key>', 'Replace a key by a new one, which is shown once.', 'POST /keys/{id}/rotate', {
    options: [
      option('--grace-seconds <seconds>', `how long the old key keeps working, 0 to ${GRACE_SECONDS.max}`)
        .argParser(whole)
        .default(GRACE_SECONDS.default),
    ],
  }),
  asks('revoke <key>', 'Revoke a key for ever.', 'DELETE /keys/{id}', {
    options: [option('--descendants', 'also the keys that it has made')],
    done: (one) => ({ id: one, status: 'revoked' }),
  }),
]);

const EVENTS = option('--events <names...>', 'such as batch.completed; all without it');
const INCLUDE_RESULTS = option('--include-results <rows>', 'rows of results in an event, 0 to 1000').argParser(whole);

const webhooks = group<AccountRun>('webhooks', 'The webhook endpoints of the account, and what was sent to them.', [
  asks('list', 'List endpoints, newest first.', 'GET /webhooks', {
    options: PAGE,
    text: ({ webhooks: rows, ...page }) => textOf({ ...page, webhooks: rows.map(endpointRow) }),
  }),
  asks('show <webhook>', 'Show an endpoint.', 'GET /webhooks/{id}'),
  asks('create <url>', 'Create an endpoint. Its signing secret is shown once.', 'POST /webhooks', {
    argument: { member: 'url', description: 'an https:// address' },
    options: [EVENTS, INCLUDE_RESULTS],
  }),
  asks('change <webhook>', 'Change an endpoint.', 'PATCH /webhooks/{id}', {
    options: [option('--url <url>', 'an https:// address'), EVENTS, INCLUDE_RESULTS],
  }),
  asks('enable <webhook>', 'Enable an endpoint; it gets what has waited.', 'PATCH /webhooks/{id}', {
    says: { enabled: true },
  }),
  asks('disable <webhook>', 'Disable an endpoint; what happens waits for it.', 'PATCH /webhooks/{id}', {
    says: { enabled: false },
  }),
  asks(
    'rotate-secret <webhook>',
    'Make a new secret; the old one works for 24 hours.',
    'POST /webhooks/{id}/rotate-secret',
  ),
  asks('delete <webhook>', 'Delete an endpoint with its deliveries.', 'DELETE /webhooks/{id}', { done: removed }),
  asks('test <webhook>', 'Send a webhook.test event.', 'POST /webhooks/{id}/test', { text: deliveryText }),
  asks('sample <webhook> <event>', 'Send an example of an event.', 'POST /webhooks/{id}/samples/{event}', {
    text: deliveryText,
  }),
  asks('deliveries <webhook>', 'List deliveries, newest first.', 'GET /webhooks/{id}/deliveries', {
    options: [...PAGE, option('--status <status>', 'only these').choices(DELIVERY_STATES)],
    text: ({ deliveries, ...page }) => textOf({ ...page, deliveries: deliveries.map(deliveryRow) }),
  }),
  asks('delivery <delivery>', 'Show a delivery with its attempts.', 'GET /webhooks/deliveries/{id}', {
    text: deliveryText,
  }),
  asks('redeliver <delivery>', 'Send a delivery again.', 'POST /webhooks/deliveries/{id}/redeliver', {
    text: deliveryText,
  }),
]);

const OF_ROWS = new Set(['results', 'next_cursor']);

const lists = group<AccountRun>('lists', 'The verified lists of the account. "batch list" shows those that run.', [
  asks('list', 'List them, newest first.', 'GET /lists', {
    options: PAGE,
    text: ({ lists: rows, ...page }) => textOf({ ...page, lists: rows.map(listRow) }),
  }),
  asks('show <list>', 'Show a list; as JSON with its first rows.', 'GET /lists/{id}', {
    text: (list) => textOf(Object.fromEntries(Object.entries(list).filter(([name]) => !OF_ROWS.has(name)))),
  }),
  ({ interruption }) =>
    withOutput(new Command('download').argument('<list>', 'its id', id))
      .description('Get the rows of a list.')
      .action(async (list: number, options: ServerOptions & OutputOptions, command: Command) => {
        const client = openClient(command, options);
        const params = { path: { id: list }, query: { limit: 1 } };
        const { signal } = interruption;
        const { batch_id } = contentOf(await client.api.GET('/api/v1/lists/{id}', { params, signal }));
        await writeResults(client, batch_id, options, interruption);
      }),
  ({ interruption, done }) =>
    new Command('cancel')
      .argument('<list>', 'its id', id)
      .description('Cancel a list that runs; what was answered stays and is charged.')
      .action(async (list: number, options: ServerOptions & FormOptions, command: Command) => {
        const client = openClient(command, options);
        const { status } = await client.getBatch(list, interruption);
        if (status === 'queued' || status === 'processing')
          return show(options, await client.removeBatch(list, interruption));
        process.stderr.write(
          `List ${list} does not run: it is ${status}. "mailsonde batch cancel ${list}" deletes it.\n`,
        );
        done(EXIT_FAILURE);
      }),
  asks('delete <list>', 'Delete a list with every address.', 'DELETE /lists/{id}', { done: removed }),
]);

const PROGRAMS = { lists, keys, webhooks } as const satisfies Readonly<Record<string, CommandOf<AccountRun>>>;
type Name = keyof typeof PROGRAMS;
export const ACCOUNT_COMMANDS = Object.keys(PROGRAMS) as readonly Name[];

export const runAccountCommand = (name: Name): Promise<void> =>
  runServerCommand((interruption, done) => accountProgram(name, interruption, done));

export function accountProgram(name: Name, interruption: Interruption, done: (exitCode: number) => void): Command {
  const program = PROGRAMS[name]({
    ask: async (request, { text }, command) => {
      const options = command.opts<ServerOptions & FormOptions>();
      await show(options, contentOf(await request(openClient(command, options).api)), text);
    },
    signal: interruption.signal,
    interruption,
    done,
  });
  forEveryCommand(program, (command) => {
    if (command.commands.length > 0) return;
    withServer(command);
    if (!command.options.some(({ long }) => long === '--output')) withForm(command);
  });
  return program.name(programName(name)).addHelpText('after', HELP);
}

const HELP = `
Exit code: 0 done, 1 refused, 64 wrong usage, 69 no such service, 78 wrong configuration, 130 interrupted.`;

function show<T extends object>({ output }: FormOptions, reply: T, text: (reply: T) => string = textOf): Promise<void> {
  return print(output === 'json' ? `${JSON.stringify(reply)}\n` : text(reply));
}

function keyRow({ id: key, kind, name, last_four, status, expires_at }: AccountSchemas['KeyReply']): object {
  return { id: key, kind, name, last_four, status, expires_at };
}

function endpointRow({ id: endpoint, mode, enabled, disabled_reason, url }: AccountSchemas['WebhookReply']): object {
  return { id: endpoint, mode, enabled, disabled_reason, url };
}

function listRow({ id: list, name, total_emails, counts, verified_at }: AccountSchemas['ListReply']): object {
  return { id: list, name, rows: total_emails, ...counts, verified: verified_at.slice(0, 'yyyy-mm-dd'.length) };
}

type Delivery = AccountSchemas['DeliveryReply'];

function deliveryRow({ id: delivery, type, status, created_at, attempts }: Delivery): object {
  const last = attempts.at(-1);
  return { id: delivery, type, status, attempts: attempts.length, answer: last?.status ?? last?.error, created_at };
}

function deliveryText({ attempts, ...delivery }: Delivery): string {
  const rows = attempts.map(({ number, at, status, error, latency_ms }) => ({ number, at, status, error, latency_ms }));
  return textOf({ ...delivery, attempts: rows });
}
