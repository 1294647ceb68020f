import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

import { generateToken, hashToken } from '../../src/keys/access/token.js';
import { runMigrations } from '../../src/platform/database/migrate.js';
import { startPostgres } from '../../src/platform/embedded/postgres.js';
import { startRedis, latestState } from '../../src/platform/embedded/redis.js';
import { parentOf } from './processes.js';

/** PostgreSQL with all migrations and Redis in a folder of their own. */
export async function startServers() {
  const silent = (): void => undefined;
  const folder = mkdtempSync(join(tmpdir(), 'mailsonde-bench-'));
  chmodSync(folder, 0o755); // So that as root the server's user gets to its data.
  const postgres = await startPostgres(folder, silent, ['max_connections=100']);
  const redis = await startRedis(folder, silent, 16);
  await runMigrations(postgres.url, silent);
  const database = new pg.Client({ connectionString: postgres.url });
  await database.connect();
  const { rows } = await database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return {
    database,
    postgresFolder: join(folder, 'postgres'),
    postgresPid: parentOf(rows[0]!.pid),
    redisName: redis.what.split(' ')[0]!,
    redisPid: latestState(folder)!.server.pid,
    environment: {
      DATABASE_URL: postgres.url,
      REDIS_URL: `${redis.url}/1`,
      SECRETS_KEY: randomBytes(32).toString('base64'),
    },
    stop: async () => {
      await database.end();
      await redis.stop();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** All that is stored of batches, indexes included. */
export async function storedBytes(database: pg.Client): Promise<number> {
  const { rows } = await database.query<{ bytes: string }>(
    // A table that is divided by days has nothing but its parts; one that is not is no part of a tree.
    `SELECT sum(pg_total_relation_size(coalesce(part.relid, name))) AS bytes
       FROM unnest('{batches,batch_rows,batch_chunks,batch_results}'::regclass[]) AS name
       LEFT JOIN LATERAL pg_partition_tree(name) AS part ON true`,
  );
  return Number(rows[0]!.bytes);
}

/** An account with so many credits. @returns its live key */
export async function newKey(database: pg.Client, credits: number, plan = 'scale'): Promise<string> {
  const token = generateToken('live');
  const { rows } = await database.query<{ id: string }>(
    `INSERT INTO accounts (kind, policy, created_at) VALUES ('full', $1, now()) RETURNING id`,
    [plan],
  );
  const account = rows[0]!.id;
  await database.query(
    `INSERT INTO api_keys (account_id, kind, token_hash, last_four, created_at) VALUES ($1, 'live', $2, $3, now())`,
    [account, hashToken(token), token.slice(-4)],
  );
  await database.query('INSERT INTO credit_balances (account_id, available, entries) VALUES ($1, $2, 1)', [
    account,
    credits,
  ]);
  await database.query(
    `INSERT INTO credit_ledger (account_id, number, created_at, kind, amount, balance_after, purpose)
     VALUES ($1, 1, now(), 'grant', $2, $2, 'bench')`,
    [account, credits],
  );
  return token;
}

/** A test key of the account that this live key belongs to. */
export async function testKeyBeside(database: pg.Client, liveKey: string): Promise<string> {
  const token = generateToken('test');
  await database.query(
    `INSERT INTO api_keys (account_id, kind, token_hash, last_four, created_at)
     SELECT account_id, 'test', $2, $3, now() FROM api_keys WHERE token_hash = $1`,
    [hashToken(liveKey), hashToken(token), token.slice(-4)],
  );
  return token;
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address() as { port: number };
      server.close(() => resolve(address.port));
    });
  });
}

export interface Status {
  readonly id: number;
  readonly status: string;
  readonly processed: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly credits_charged: number;
  /** ISO 8601. */
  readonly completed_at: string;
}

export function bodyOf(emails: Iterable<string>, name = 'bench', settings: object = {}): Buffer {
  return Buffer.from(JSON.stringify({ name, ...settings, emails: [...emails] }));
}

/** Sends a list. By `request`: `fetch` needs 0.2 s more for 33 MB. @returns what the 201 says */
export function postBatch(
  port: number,
  key: string,
  body: Buffer,
  headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
): Promise<Status> {
  const all = { authorization: `Bearer ${key}`, 'content-length': body.length, ...headers };
  return new Promise((resolve, reject) => {
    const path = '/api/v1/verify/batch';
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers: all }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () =>
        response.statusCode === 201 ? resolve(JSON.parse(text) as Status) : reject(new Error(text)),
      );
    });
    sent.on('error', reject).end(body);
  });
}

/** The batch routes of the service on this port. */
export function batchClient(port: number, key: string) {
  const get = async (path: string, encoding = 'identity'): Promise<Response> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/verify/batch${path}`, {
      headers: {
        authorization: `Bearer ${key}`,
        // Left to itself `fetch` asks for gzip.
        'accept-encoding': encoding,
      },
    });
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    return response;
  };
  const post = (body: Buffer) => postBatch(port, key, body);
  return {
    /** @param body from `bodyOf`, which takes a second for a million */
    post,
    submit: (emails: Iterable<string>, name?: string) => post(bodyOf(emails, name)),
    status: async (id: number) => (await (await get(`/${id}`)).json()) as Status,
    summary: async (id: number) => (await get(`/${id}/summary`)).text(),
    csv: async (id: number) => (await get(`/${id}/results?format=csv`)).text(),
    /** @param path below the batches' */
    read: async (path: string) => (await get(path)).text(),
    /** Reads a file without keeping it. @returns its bytes, unpacked */
    discard: async (id: number, file: string, encoding = 'identity') => {
      let bytes = 0;
      for await (const piece of (await get(`/${id}/results?${file}`, encoding)).body!) bytes += piece.byteLength;
      return bytes;
    },
  };
}

export const isOver = ({ status }: Status): boolean => ['completed', 'failed', 'cancelled'].includes(status);

export async function endInGoodOrder(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}
