import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import pg from 'pg';

import { generateToken, hashToken } from '../../src/keys/token.js';

/** An account with so many credits. @returns its live key */
export async function newKey(database: pg.Client, credits: number): Promise<string> {
  const token = generateToken('live');
  const { rows } = await database.query<{ id: string }>(
    `INSERT INTO accounts (kind, policy, created_at) VALUES ('full', 'scale', now()) RETURNING id`,
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
}

/** The batch routes of the service on this port. */
export function batchClient(port: number, key: string) {
  const send = async (path: string, body?: string, encoding = 'identity'): Promise<Response> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/verify/batch${path}`, {
      headers: {
        authorization: `Bearer ${key}`,
        // Left to itself `fetch` asks for gzip.
        'accept-encoding': encoding,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { method: 'POST', body }),
    });
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    return response;
  };
  return {
    submit: async (emails: Iterable<string>, name = 'bench') =>
      (await (await send('', JSON.stringify({ name, emails: [...emails] }))).json()) as Status,
    status: async (id: number) => (await (await send(`/${id}`)).json()) as Status,
    csv: async (id: number) => (await send(`/${id}/results?format=csv`)).text(),
    /** Reads a file without keeping it. @returns its bytes, unpacked */
    discard: async (id: number, file: string, encoding = 'identity') => {
      let bytes = 0;
      for await (const piece of (await send(`/${id}/results?${file}`, undefined, encoding)).body!)
        bytes += piece.byteLength;
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
