import { createTransport } from 'nodemailer';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { onDatabase } from './batches.js';
import { call, type Reply } from './call.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { freePort, type ServiceProcess, startProcess } from './process.js';
import { testRedis } from './redis.js';
import { confirmed, startWebhookSink, type WebhookSink } from './webhook-sink.js';

export interface DoomedWorker {
  readonly database: TestDatabase;
  /** Lives on while the worker dies. */
  readonly api: ServiceProcess;
  readonly sink: WebhookSink;
  /** Registers the sink for all events, and waits until it is confirmed. */
  endpoint(key: string): Promise<Reply['body']>;
  /** Kills the worker, and resolves when nothing is left of it. */
  kill(): Promise<void>;
  /** Another worker, with the leases of webhook endpoints over: what passes by itself in ten seconds. */
  replace(): Promise<void>;
  /** Sends a mail to the worker's receiver. @returns the reply to it, or the empty text when the worker has died instead */
  mail(to: string, raw: string | Buffer): Promise<string>;
  /** Locks what a statement selects until `release`, so that whoever needs it stands still in the middle of its work. */
  hold(sql: string, values?: readonly unknown[]): Promise<HeldRows>;
}

export interface HeldRows {
  /** Resolves when somebody waits for what is held. */
  awaited(): Promise<void>;
  release(): Promise<void>;
}

/** Told what to do when it is over, the last first. */
export type AtEnd = (work: () => Promise<void>) => void;

/**
 * The service as two processes, of which one is killed in the middle of its work, and a customer's receiver of webhooks.
 * @param more variables of both
 * @param atEnd they end with the test unless somebody else ends them
 */
export async function startDoomedWorker(
  more: Readonly<Record<string, string>> = {},
  atEnd: AtEnd = onTestFinished,
): Promise<DoomedWorker> {
  const database = await createTestDatabase();
  atEnd(database.drop);
  const sink = await startWebhookSink();
  atEnd(sink.close);
  const environment = {
    DATABASE_URL: database.url,
    REDIS_URL: (await testRedis()).url,
    SECRETS_KEY: '11'.repeat(32),
    WEBHOOK_ALLOW_INSECURE: 'true',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    WEBHOOK_PORTS: String(sink.port),
    LOG_LEVEL: 'info',
    INBOUND_PORT: String(await freePort()),
    ...more,
  };
  const api = await startProcess({ ...environment, ROLE: 'api' });
  let worker = await startProcess({ ...environment, ROLE: 'worker' });
  atEnd(async () => {
    for (const one of [api, worker]) one.kill('SIGKILL');
    await Promise.all([api.ended, worker.ended]);
  });
  return {
    database,
    api,
    sink,
    endpoint: async (key) => {
      const { body } = await call(api, '/api/v1/webhooks', { key, body: { url: sink.url() } });
      await confirmed(database.url, body.id, sink);
      return body;
    },
    kill: async () => {
      worker.kill('SIGKILL');
      expect(await worker.ended).toBe('SIGKILL');
    },
    replace: async () => {
      await onDatabase(database.url, 'UPDATE webhook_endpoints SET lease_expires_at = now()');
      worker = await startProcess({ ...environment, ROLE: 'worker' });
    },
    mail: (to, raw) => sendMail(Number(environment.INBOUND_PORT), to, raw),
    hold: (sql, values = []) => hold(database.url, sql, values),
  };
}

async function hold(databaseUrl: string, sql: string, values: readonly unknown[]): Promise<HeldRows> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('BEGIN');
  const { rowCount } = await client.query(sql, [...values]);
  // A table that is locked has no count.
  expect(rowCount).not.toBe(0);
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const waiting = 'SELECT count(*)::integer AS count FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))';
  return {
    awaited: async () => {
      await expect
        .poll(async () => (await onDatabase(databaseUrl, waiting, [rows[0]!.pid]))[0]!['count'])
        .toBeGreaterThan(0);
    },
    release: async () => {
      await client.query('ROLLBACK');
      await client.end();
    },
  };
}

async function sendMail(port: number, to: string, raw: string | Buffer): Promise<string> {
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  try {
    return (await transport.sendMail({ envelope: { from: 'news@sender.example', to }, raw })).response;
  } catch (error) {
    return (error as { response?: string }).response ?? '';
  } finally {
    transport.close();
  }
}
