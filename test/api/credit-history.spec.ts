import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call } from '../support/call.js';
import { startService, type TestService } from '../support/service.js';

const KEY = '11111111-1111-4111-8111-111111111111';
const OTHER_KEY = '22222222-2222-4222-8222-222222222222';
const DAYS = 200;

let service: TestService;
let account: FullAccount;

beforeAll(async () => {
  service = await startService();
  account = await createFullAccount({ url: service.env.databaseUrl }, { credits: 0 });
  await fill(account.accountId);
});

afterAll(() => service.close());

/**
 * A day a month has a grant by nobody; every day a batch of the one key is reserved, given back and charged, and the other key
 * verifies. The clock of the process that wrote each fourth entry is 59 minutes slow.
 */
const fill = (accountId: string) =>
  onDatabase(
    service.env.databaseUrl,
    `WITH entries AS (
       SELECT day, step, row_number() OVER (ORDER BY day, step) AS number
         FROM generate_series(0, $4::int - 1) AS day, generate_series(0, 6) AS step
        WHERE step > 0 OR day % 30 = 0
     ), balance AS (
       UPDATE credit_balances SET entries = (SELECT count(*) FROM entries), available = 1000 WHERE account_id = $1
     )
     INSERT INTO credit_ledger (account_id, number, created_at, kind, amount, balance_after, purpose, key_id, batch_id)
     SELECT $1::uuid, number,
            timestamptz '2026-01-01 00:00Z' + day * interval '1 day' + (step * 2 + 2) * interval '1 hour'
              - CASE WHEN number % 4 = 0 THEN interval '59 minutes' ELSE interval '0' END,
            (ARRAY['grant','reserve','release','charge','reserve','release','charge'])[step + 1],
            (ARRAY[10,-2,2,-2,-1,1,-1])[step + 1], 1000, CASE WHEN step < 1 THEN 'Order; =1+1' ELSE 'batch' END,
            CASE WHEN step BETWEEN 1 AND 3 THEN $2::uuid WHEN step > 3 THEN $3::uuid END,
            CASE WHEN step BETWEEN 1 AND 3 THEN 1000 + day END
       FROM entries`,
    [accountId, KEY, OTHER_KEY, DAYS],
  );

const history = (query: string, key = account.liveKey) => call(service, `/api/v1/credits/history?${query}`, { key });

/** All pages of them, in short. */
async function entries(query: string): Promise<string[]> {
  const found: string[] = [];
  let cursor = '';
  do {
    const { status, body } = await history(`limit=100&${query}${cursor}`);
    expect(status).toBe(200);
    for (const { created_at: at, kind, batch_id: batch } of body.entries) found.push(`${at} ${kind} ${batch ?? '-'}`);
    cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`;
  } while (cursor !== '');
  return found;
}

const perDay = (found: readonly string[]) => [...new Set(found.map((entry) => entry.slice(0, 10)))];
const kindsOf = (found: readonly string[]) =>
  [...new Set(found.map((entry) => entry.split(' ')[1]!))].sort((one, other) => (one < other ? -1 : 1));

describe('the ledger', () => {
  it('the ledger has all its entries when nothing is asked for, the newest first', async () => {
    expect(await entries('')).toHaveLength(DAYS * 6 + 7);
    expect((await history('limit=1')).body.entries).toMatchObject([{ kind: 'charge', batch_id: null }]);
  });

  it('the ledger shows entries of some kinds', async () => {
    expect(await entries('kind=grant')).toHaveLength(7);
    const found = await entries('kind=charge,release');
    expect([found.length, kindsOf(found)]).toEqual([DAYS * 4, ['charge', 'release']]);
    expect(await entries('kind=adjust')).toEqual([]);
  });

  it('the ledger shows entries of a key, and of a batch', async () => {
    expect(await entries(`key_id=${KEY}`)).toHaveLength(DAYS * 3);
    expect(kindsOf(await entries('batch_id=1007'))).toEqual(['charge', 'release', 'reserve']);
    expect(await entries(`batch_id=1007&key_id=${OTHER_KEY}`)).toEqual([]);
    expect(await entries('batch_id=999999999999')).toEqual([]);
  });

  it('the ledger shows exactly the entries of some days, also where clocks of processes differ', async () => {
    const all = await entries('');
    for (const [from, to] of [
      ['2026-01-01', '2026-01-01'],
      ['2026-03-05', '2026-03-09'],
      ['2026-07-19', '2026-12-31'],
    ] as const) {
      const wanted = all.filter((entry) => entry.slice(0, 10) >= from && entry.slice(0, 10) <= to);
      expect(await entries(`from=${from}&to=${to}`)).toEqual(wanted);
      expect(await entries(`from=${from}&to=${to}&kind=charge&key_id=${KEY}`)).toEqual(
        wanted.filter((entry) => entry.includes('charge 1')),
      );
    }
    expect(perDay(await entries('to=2026-01-02'))).toEqual(['2026-01-02', '2026-01-01']);
    expect(perDay(await entries('from=2026-07-18'))).toEqual(['2026-07-19', '2026-07-18']);
    for (const nothing of ['from=2026-07-20', 'to=2025-12-31', 'to=1970-01-01', 'from=9999-12-31'])
      expect(await entries(nothing)).toEqual([]);
  });

  it('the ledger is a file of exactly the entries that are asked for, and a spreadsheet runs nothing in it', async () => {
    const response = await fetch(`${service.url}/api/v1/credits/history?kind=grant,charge&to=2026-01-02&format=csv`, {
      headers: { authorization: `Bearer ${account.liveKey}` },
    });
    expect(response.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="ledger.csv"');
    const lines = (await response.text()).split('\r\n');
    expect(lines[0]).toBe('created_at,kind,amount,balance_after,what_for,key_id,batch_id');
    expect(lines).toHaveLength(7);
    expect(lines.at(-2)).toBe('2026-01-01T02:00:00.000Z,grant,10,1000,Order; =1+1,,');
    const { body } = await history('format=ndjson&batch_id=1003');
    expect(body).toHaveLength(3);
    expect(body[0]).toMatchObject({ kind: 'charge', batch_id: 1003, key_id: KEY });
  });

  it('the ledger of a test key is empty, as a page and as a file', async () => {
    expect((await history('kind=grant', account.testKey)).body.entries).toEqual([]);
    expect((await history('format=ndjson', account.testKey)).body).toEqual([]);
  });

  it('the ledger of another account shows nothing of this one', async () => {
    const other = await createFullAccount({ url: service.env.databaseUrl }, { credits: 0 });
    for (const query of [`key_id=${KEY}`, 'batch_id=1007', 'from=2026-01-01', 'format=ndjson'])
      expect(JSON.stringify((await history(query, other.liveKey)).body), query).not.toContain('2026');
  });

  it.each([
    ['kind', 'charge,'],
    ['kind', 'Charge'],
    ['kind', 'charge;DROP TABLE accounts'],
    ['key_id', 'nonsense'],
    ['batch_id', '0'],
    ['batch_id', '-1'],
    ['batch_id', '1e3'],
    ['batch_id', '9999999999999999'],
    ['from', '2026-02-30'],
    ['to', '2026-1-1'],
    ['format', 'xlsx'],
  ])('the ledger refuses %s=%s', async (name, value) => {
    const { status, body } = await history(`${name}=${encodeURIComponent(value)}`);
    expect([status, body.fields?.[0].field]).toEqual([422, name]);
  });

  it('the ledger refuses days that end before they begin, and a page of a file', async () => {
    expect((await history('from=2026-02-02&to=2026-02-01')).status).toBe(422);
    expect((await history('format=csv&limit=5')).status).toBe(422);
  });
});
