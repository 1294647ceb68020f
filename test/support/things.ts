import { createHash, randomUUID } from 'node:crypto';
import type { FullAccount } from './accounts.js';
import { call, type Reply } from './call.js';
import { onDatabase } from './batches.js';
import { bodyOnce, isCompleted } from './next-look.js';
import type { TestService } from './service.js';
import type { WebhookSink } from './webhook-sink.js';

export type Mode = 'live' | 'test';
export type ThingName = keyof typeof MAKERS;

export interface Thing {
  readonly id: string;
  /** As its owner is told of it now. */
  look(): Promise<unknown>;
}

/** Where things are made. */
export interface World {
  readonly service: TestService;
  readonly sink: WebhookSink;
  readonly account: FullAccount;
}

/** Makes a thing of an account in a mode over HTTP, with `mark` in its name, and waits until nothing of it changes by itself. */
export function makeThing(world: World, name: ThingName, mode: Mode, mark: string = randomUUID()): Promise<Thing> {
  return MAKERS[name](world, mode, mark);
}

const keyOf = ({ account }: World, mode: Mode) => (mode === 'live' ? account.liveKey : account.testKey);

const MAKERS = {
  batch: (world: World, mode: Mode, mark: string) =>
    makeBatch(world, mode, '/api/v1/verify/batch', { emails: ['valid@example.com'], name: mark }),
  people: (world: World, mode: Mode, mark: string) =>
    makeBatch(world, mode, '/api/v1/finder/batch', {
      people: [{ full_name: 'Jane Doe', domain: 'example.com' }],
      name: mark,
    }),
  scheduledList: async (world: World, mode: Mode, mark: string): Promise<Thing> => {
    const list = await MAKERS.batch(world, mode, mark);
    const path = `/api/v1/lists/${list.id}/schedule`;
    await ask(world, mode, path, { method: 'POST', body: { every_days: 7 } });
    return { id: list.id, look: async () => [await list.look(), await look(world, mode, path)] };
  },
  key: async (world: World, mode: Mode, mark: string): Promise<Thing> => {
    const { id } = await make(world, mode, '/api/v1/keys', { kind: mode, name: mark });
    const look = async () => {
      const [row] = await onDatabase(world.service.env.databaseUrl, 'SELECT * FROM api_keys WHERE id = $1', [id]);
      return row;
    };
    return { id, look };
  },
  webhook: async (world: World, mode: Mode, mark: string): Promise<Thing> => {
    // Of the other things' events each one that was told would change when it was last told of any.
    const events = ['dmarc.source_appeared'];
    const { id } = await make(world, mode, '/api/v1/webhooks', { url: world.sink.url(`/${mark}`), events });
    const path = `/api/v1/webhooks/${id}`;
    await bodyOnce(
      () => ask(world, mode, path),
      ({ confirmed_at }) => confirmed_at !== null,
    );
    return { id, look: () => look(world, mode, path) };
  },
  delivery: async (world: World, mode: Mode, mark: string): Promise<Thing> => {
    const webhook = await MAKERS.webhook(world, mode, mark);
    const { id } = await make(world, mode, `/api/v1/webhooks/${webhook.id}/test`);
    const path = `/api/v1/webhooks/deliveries/${id}`;
    await bodyOnce(
      () => ask(world, mode, path),
      ({ status }) => status === 'succeeded',
    );
    return { id, look: () => look(world, mode, path) };
  },
  suppression: async (world: World, mode: Mode, mark: string): Promise<Thing> => {
    const id = createHash('sha256').update(mark).digest('hex');
    await make(world, mode, '/api/v1/suppressions', { sha256: [id], reason: mark });
    return { id, look: () => look(world, mode, `/api/v1/suppressions/${id}`) };
  },
  blacklistCheck: async (world: World, mode: Mode, mark: string): Promise<Thing> => {
    // A list that knows no domains is asked nothing.
    const body = { targets: [`${mark}.example.com`], lists: ['psbl'] };
    const { id } = await make(world, mode, '/api/v1/blacklists/check', body);
    const path = `/api/v1/blacklists/checks/${id}`;
    const look = async () => {
      const { status, body: kept } = await ask(world, mode, path);
      return { status, made: [kept.id, kept.results] };
    };
    return { id, look };
  },
  domainCheck: async (world: World, mode: Mode, mark: string): Promise<Thing> => {
    const body = { domain: `${mark}.example.com`, timeout_ms: 1000 };
    const { id } = await make(world, mode, '/api/v1/domains/check', body);
    const path = `/api/v1/domains/checks/${id}`;
    const look = async () => {
      const { status, body: kept } = await ask(world, mode, path);
      return { status, made: [kept.id, kept.findings] };
    };
    return { id, look };
  },
  // Nothing of it changes by itself while it is switched off.
  monitor: async (world: World, mode: Mode, mark: string): Promise<Thing> => {
    const body = { kind: 'domain', target: `${mark}.example.com`, enabled: false };
    const { id } = await make(world, mode, '/api/v1/monitors', body);
    return { id, look: () => look(world, mode, `/api/v1/monitors/${id}`) };
  },
  placementTest: async (world: World, mode: Mode, mark: string): Promise<Thing> => {
    const { id } = await make(world, mode, '/api/v1/placement/tests', { name: mark });
    const path = `/api/v1/placement/tests/${id}`;
    const look = async () => {
      const { status, body: kept } = await ask(world, mode, path);
      return { status, made: [kept.id, kept.name, kept.status] };
    };
    return { id, look };
  },
  erasure: async (world: World, mode: Mode, mark: string): Promise<Thing> => {
    const { id } = await make(world, mode, '/api/v1/erasures', { email: `${mark}@example.com` });
    // How far it is changes by itself.
    const look = async () => {
      const { status, body } = await ask(world, mode, `/api/v1/erasures/${id}`);
      return { status, made: [body.id, body.created_at, body.suppressed] };
    };
    return { id, look };
  },
  operator: async ({ service }: World, _: Mode, mark: string): Promise<Thing> => {
    const id = `mx-${mark}.example.com`;
    const look = () => onDatabase(service.env.databaseUrl, 'SELECT * FROM operator_pauses WHERE operator = $1', [id]);
    return { id, look };
  },
  // The only source of a service without a file that names others: who is no administrator changes nothing of it.
  source: async ({ service }: World): Promise<Thing> => {
    const byOthers = `SELECT * FROM source_conditions WHERE changed_by NOT LIKE 'admin key %'`;
    const look = () => onDatabase(service.env.databaseUrl, byOthers);
    return { id: 'default', look };
  },
  // Who is no administrator turns none off, and on.
  blockList: async ({ service }: World): Promise<Thing> => {
    const byOthers = `SELECT * FROM blacklists_off WHERE by NOT LIKE 'admin key %'`;
    const look = () => onDatabase(service.env.databaseUrl, byOthers);
    return { id: 'psbl', look };
  },
  optOut: async ({ service }: World, _: Mode, mark: string): Promise<Thing> => {
    const [row] = await onDatabase(
      service.env.databaseUrl,
      `INSERT INTO opt_outs (kind, name, reason, made_by, made_at, ends_at)
       VALUES ('domain', $1, 'asked', 'a test', now(), now() + interval '400 days') RETURNING id`,
      [`${mark}.example.com`],
    );
    const { id } = row as { id: string };
    const look = () => onDatabase(service.env.databaseUrl, 'SELECT * FROM opt_outs WHERE id = $1', [id]);
    return { id, look };
  },
  // Off, so that no worker reads it meanwhile.
  seed: async ({ service }: World, _: Mode, mark: string): Promise<Thing> => {
    const [row] = await onDatabase(
      service.env.databaseUrl,
      `INSERT INTO placement_seeds (id, provider, address, host, port, security, login, credentials, state, created_at, changed_at, check_due_at)
       VALUES (gen_random_uuid(), 'other', $1, '127.0.0.1', 993, 'tls', 'a', '', 'off', now(), now(), now()) RETURNING id`,
      [`${mark}@example.com`],
    );
    const { id } = row as { id: string };
    const look = () =>
      onDatabase(service.env.databaseUrl, 'SELECT state, credentials, why FROM placement_seeds WHERE id = $1', [id]);
    return { id, look };
  },
  account: async ({ service, account }: World): Promise<Thing> => {
    const id = account.accountId;
    const look = () => onDatabase(service.env.databaseUrl, 'SELECT * FROM accounts WHERE id = $1', [id]);
    return { id, look };
  },
};

async function makeBatch(world: World, mode: Mode, base: string, body: object): Promise<Thing> {
  const { id } = await make(world, mode, base, body);
  await bodyOnce(() => ask(world, mode, `${base}/${id}`), isCompleted);
  return { id, look: () => look(world, mode, `${base}/${id}`) };
}

async function make(world: World, mode: Mode, path: string, body?: object): Promise<{ id: string }> {
  const reply = await ask(world, mode, path, { method: 'POST', ...(body && { body }) });
  if (reply.status >= 300) throw new Error(`POST ${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
  return { id: String(reply.body.id) };
}

async function look(world: World, mode: Mode, path: string): Promise<unknown> {
  const { status, body } = await ask(world, mode, path);
  return { status, body };
}

const ask = (world: World, mode: Mode, path: string, options: object = {}): Promise<Reply> =>
  call(world.service, path, { key: keyOf(world, mode), ...options });
