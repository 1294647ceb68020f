import type { Plan } from '../../src/platform/config/policies.js';
import { generateToken, hashToken } from '../../src/keys/access/token.js';
import { connectionsTo } from './connections.js';

export interface FullAccount {
  readonly accountId: string;
  readonly liveKey: string;
  readonly testKey: string;
}

export interface FullAccountOptions {
  readonly plan?: Plan;
  /** Grant at once, whatever the plan. */
  readonly credits?: number;
}

/** A full account with a live and a test key, past all limits of its creation. */
export async function createFullAccount(
  database: { readonly url: string },
  { plan = 'scale', credits = 1000 }: FullAccountOptions = {},
): Promise<FullAccount> {
  const client = await connectionsTo(database.url).connect();
  try {
    const [liveKey, testKey] = [generateToken('live'), generateToken('test')];
    const { rows } = await client.query<{ id: string }>(INSERT_ACCOUNT, [plan, 'Test account']);
    const accountId = rows[0]!.id;
    for (const token of [liveKey, testKey])
      await client.query(INSERT_KEY, [
        accountId,
        token === liveKey ? 'live' : 'test',
        hashToken(token),
        token.slice(-4),
      ]);
    await client.query(INSERT_BALANCE, [accountId, credits]);
    if (credits > 0) await client.query(INSERT_GRANT, [accountId, credits]);
    return { accountId, liveKey, testKey };
  } finally {
    client.release();
  }
}

/** Before whatever a test's own clock says, and in whole milliseconds like all that the service writes. */
const LONG_AGO = `timestamptz '2026-01-01 00:00:00Z'`;

const INSERT_ACCOUNT = `INSERT INTO accounts (kind, policy, name, created_at) VALUES ('full', $1, $2, ${LONG_AGO}) RETURNING id`;

const INSERT_KEY = `
  INSERT INTO api_keys (account_id, kind, token_hash, last_four, created_at) VALUES ($1, $2, $3, $4, ${LONG_AGO})`;

const INSERT_BALANCE = `
  INSERT INTO credit_balances (account_id, available, entries) VALUES ($1, $2::bigint, CASE WHEN $2 > 0 THEN 1 ELSE 0 END)`;

const INSERT_GRANT = `
  INSERT INTO credit_ledger (account_id, number, created_at, kind, amount, balance_after, purpose)
  VALUES ($1, 1, now(), 'grant', $2, $2, 'test')`;
