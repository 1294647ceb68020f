import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Command } from 'commander';
import { contentOf, pagesOf } from '../client/batch-client.js';
import type { AccountClient, AccountSchemas } from '../client/client.js';
import { readUrl } from '../lib/read-url.js';
import { programName, type ServerOptions, withServer } from './terminal/command-line.js';
import { beforeOutputEnds, print, printable } from './terminal/print.js';
import { type Interruption, runServerCommand } from './terminal/run-server-command.js';
import { openClient } from './terminal/server-access.js';

const HELP = `
While it runs, the account has one more webhook endpoint, whose host exists nowhere (.example), so the log of the service shows its
deliveries as failed. This command reads each of them there and sends it on: with its own headers, and signed with the secret
that it prints. Ctrl-C ends it and deletes the endpoint.

An event says everything but rows of results. The signature of a "results_url" is left out, so read results with a key.
Of a body with more than 4,096 characters the type is printed alone.

Example:
  mailsonde listen --forward-to http://localhost:3000/hook --events batch.completed`;

type Delivery = AccountSchemas['DeliveryReply'];

interface ListenOptions extends ServerOptions {
  readonly forwardTo: string;
  readonly events?: AccountSchemas['CreateWebhookRequest']['events'];
}

interface Target {
  readonly url: string;
  readonly secret: string;
}

const POLL_MS = 1_000;
const MAX_WAIT_MS = 15_000;

await runServerCommand((interruption) =>
  withServer(new Command(programName('listen')))
    .description('Forwards the webhook events of the account to a program on this machine.')
    .requiredOption('--forward-to <url>', 'where to send them, such as http://localhost:3000/hook')
    .option('--events <names...>', 'only these, such as batch.completed; default: all')
    .addHelpText('after', HELP)
    .allowExcessArguments(false)
    .action(async ({ forwardTo, events, ...options }: ListenOptions, command: Command) => {
      const url = readUrl(forwardTo);
      if (url === null || !/^https?:$/.test(url.protocol))
        command.error(`error: --forward-to "${printable(forwardTo)}" is no http(s) URL`);
      // A closed terminal and a supervisor end it as Ctrl-C does, so that the endpoint goes.
      for (const signal of ['SIGHUP', 'SIGTERM'] as const) process.once(signal, () => process.emit('SIGINT'));
      await listen(openClient(command, options), { url: url.href, events }, interruption);
    }),
);

async function listen(
  client: AccountClient,
  { url, events }: Pick<ListenOptions, 'events'> & { readonly url: string },
  interruption: Interruption,
): Promise<void> {
  const { signal } = interruption;
  const nowhere = `https://listen-${randomUUID()}.example/`;
  const body = { url: nowhere, include_results: 0, ...(events && { events }) };
  // Not interrupted half-way: the endpoint would stay, and nobody would know its id.
  const { id, secret } = contentOf(await client.api.POST('/api/v1/webhooks', { body }));
  beforeOutputEnds(() => removeEndpoint(client, id));
  try {
    process.stderr.write(`Events go to ${url}, signed with ${secret}. Ctrl-C ends this.\n`);
    const forwarded = new Set<string>();
    for (; ; await delay(POLL_MS, undefined, { signal })) {
      for (const delivery of await newDeliveries(client, id, forwarded, signal)) {
        forwarded.add(delivery.id);
        const answer = await forward(delivery, { url, secret: secret! }, signal);
        await print(`${delivery.created_at}  ${delivery.type}  ${delivery.message_id}  ${answer}\n`);
      }
    }
  } finally {
    beforeOutputEnds(async () => {});
    interruption.standing = await removeEndpoint(client, id);
  }
}

/** What has been tried since the last look, the oldest first. */
async function newDeliveries(
  client: AccountClient,
  id: string,
  forwarded: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Delivery[]> {
  const fresh: string[] = [];
  const log = pagesOf(async (cursor) => {
    const params = { path: { id }, query: { limit: 100, cursor } };
    const page: AccountSchemas['DeliveryPageReply'] = contentOf(
      await client.api.GET('/api/v1/webhooks/{id}/deliveries', { params, signal }),
    );
    return { rows: page.deliveries, next_cursor: page.next_cursor };
  });
  for await (const delivery of log) {
    // An endpoint gets its events in their order.
    if (forwarded.has(delivery.id)) break;
    if (delivery.attempts.length > 0) fresh.unshift(delivery.id);
  }
  const whole: Delivery[] = [];
  for (const one of fresh) {
    const params = { path: { id: one } };
    whole.push(contentOf(await client.api.GET('/api/v1/webhooks/deliveries/{id}', { params, signal })));
  }
  return whole;
}

/** @returns what came of it, for a person */
async function forward({ attempts }: Delivery, { url, secret }: Target, signal: AbortSignal): Promise<string> {
  const request = attempts.at(-1)?.request;
  if (request?.body == null || !isWhole(request.body)) return 'not forwarded: its body is too long';
  const { body, headers } = request;
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'webhook-signature': signature },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT_MS)]),
    });
    await response.body?.cancel();
    return String(response.status);
  } catch (error) {
    if (signal.aborted) throw error;
    const { cause, message } = error as Error;
    return `no answer: ${printable(cause instanceof Error && cause.message !== '' ? cause.message : message)}`;
  }
}

/** The log keeps the beginning of a body. */
function isWhole(body: string): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}

async function removeEndpoint(client: AccountClient, id: string): Promise<string> {
  try {
    await client.api.DELETE('/api/v1/webhooks/{id}', { params: { path: { id } } });
    return 'The endpoint was deleted.';
  } catch (error) {
    process.stderr.write(`${printable((error as Error).message)}\n`);
    return `The endpoint is still there: "mailsonde webhooks delete ${id}" deletes it.`;
  }
}
