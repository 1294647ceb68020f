import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CreditsAudit } from '../../src/credits/credits-audit.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { createFullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call, type Reply } from '../support/call.js';
import { runCommand } from '../support/command.js';
import { startDnsServer } from '../support/dns-server.js';
import { type DoomedWorker, type HeldRows, startDoomedWorker } from '../support/doomed-worker.js';
import { type Held, held } from '../support/held.js';
import { startScriptedImapServer, type StoredMail } from '../support/scripted-imap-server.js';

type Test = Reply['body'];

const CREDITS = 1_000;
/** What comes to pass by itself while nobody is at work: leases end, and what waits for its time is due. */
const A_WHILE = `
  WITH tests AS (UPDATE placement_tests SET due_at = now() WHERE due_at IS NOT NULL AND state = 'receiving'),
       seeds AS (UPDATE placement_seeds SET lease_expires_at = now() WHERE lease_owner IS NOT NULL)
  UPDATE placement_arrivals SET due_at = now() WHERE due_at IS NOT NULL`;

const atEnd: (() => Promise<void>)[] = [];
const inbox: StoredMail[] = [];
let doomed: DoomedWorker;
let key: string;
let endpointId: string;
let imapPort: number;
let spent = 0;
/** Each stands still while it is held, as a server that was asked and does not answer. */
let lookHeld: Held<void> | null = null;
let dnsHeld: Held<void> | null = null;

beforeAll(async () => {
  const imap = await startScriptedImapServer({
    folders: [{ path: 'INBOX', mails: inbox }],
    onLine: (line) => {
      if (lookHeld === null || !line.startsWith('EXAMINE')) return undefined;
      lookHeld.resolve();
      return null;
    },
  });
  atEnd.push(() => imap.close());
  const dns = await startDnsServer({
    answer: (name) => {
      if (dnsHeld === null || name !== 'sender.example') return 'nxdomain';
      dnsHeld.resolve();
      return 'silent';
    },
  });
  atEnd.push(() => dns.close());
  const variables = { DNS_SERVERS: dns.address, IMAP_ALLOW_PRIVATE: 'true' };
  doomed = await startDoomedWorker(variables, (work) => void atEnd.push(work));
  key = (await createFullAccount(doomed.database, { credits: CREDITS })).liveKey;
  imapPort = imap.port;
});

afterAll(async () => {
  for (const work of atEnd.toReversed()) await work();
});

afterEach(() => {
  lookHeld = null;
  dnsHeld = null;
});

const sql = (text: string, values: unknown[] = []) => onDatabase(doomed.database.url, text, values);

/** A mailbox of the operator's, which a worker has read: tests may have it. */
async function addSeed(port: number): Promise<void> {
  const place = ['--provider', 'other', '--host', '127.0.0.1', '--port', String(port), '--security', 'none'];
  const argv = ['seeds', 'add', 'seed@mail.test', ...place, '--password-file', '-', '--json'];
  const issued = await runCommand('src/cli/admin.js', ['create-key', '--name', 'alice', '--json'], {
    DATABASE_URL: doomed.database.url,
  });
  const { api_key } = JSON.parse(issued.stdout) as { api_key: string };
  const variables = { MAILSONDE_SERVER: doomed.api.url, MAILSONDE_ADMIN_KEY: api_key };
  expect(await runCommand('src/cli/admin.js', argv, variables, 'pass\n')).toMatchObject({ exit: 0 });
  await expect.poll(() => sql('SELECT last_ok_at IS NOT NULL AS read FROM placement_seeds')).toEqual([{ read: true }]);
}

async function make(seeds: 'all' | 'none'): Promise<Test> {
  const { status, body } = await call(doomed.api, '/api/v1/placement/tests', { key, body: { seeds } });
  expect([status, body.credits_reserved]).toEqual([201, seeds === 'all' ? 5 : 1]);
  return body;
}

const seen = async ({ id }: Test): Promise<Test> =>
  (await call(doomed.api, `/api/v1/placement/tests/${id}`, { key })).body;

const letter = ({ marker }: Test): string =>
  `From: news@sender.example\r\nTo: you@example.com\r\nSubject: March\r\n${marker.header}\r\n\r\nHello\r\n`;
const send = (test: Test): Promise<string> => doomed.mail(test.send_to[0], letter(test));
const comesToSeed = (test: Test): void =>
  void inbox.push({ uid: inbox.length + 1, arrivedAt: new Date(), raw: letter(test) });

/** Stops whatever tells endpoints of something, before it is committed. */
const holdEvents = (): Promise<HeldRows> =>
  doomed.hold('SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR UPDATE', [endpointId]);

/** Kills the worker where it waits for rows that are held: what it has written by then is not committed. */
async function killedAt(rows: HeldRows): Promise<void> {
  await rows.awaited();
  await doomed.kill();
  await rows.release();
}

/** Another worker goes on, when the leases of the one that died are over. */
async function goesOn(): Promise<void> {
  await sql(A_WHILE);
  await doomed.replace();
}

/** The test ends, its one event comes once, and the balance knows what it cost and no more: what was reserved beyond is back. */
async function ends({ id }: Test, charged: number, status = 'completed'): Promise<Test> {
  await expect.poll(async () => (await seen({ id })).status).toBe(status);
  const told = () => doomed.sink.received.filter(({ body: { data } }) => data.id === id);
  await expect.poll(told).toHaveLength(1);
  expect(told()[0]!.body).toMatchObject({ type: `placement.${status}`, data: { credits_charged: charged } });
  spent += charged;
  expect(await sql('SELECT available, reserved, used_total FROM credit_balances')).toEqual([
    { available: String(CREDITS - spent), reserved: '0', used_total: String(spent) },
  ]);
  return seen({ id });
}

it('a worker confirms an endpoint, and reads a seed that was added', async () => {
  endpointId = (await doomed.endpoint(key)).id;
  await addSeed(imapPort);
});

describe('a worker that is killed', () => {
  it('a worker that is killed while it takes the mail of a test has told its sender nothing, and takes it when it comes again', async () => {
    const test = await make('none');
    const rows = await doomed.hold('SELECT 1 FROM placement_tests WHERE id = $1 FOR UPDATE', [test.id]);
    const lost = send(test);
    await killedAt(rows);
    expect(await lost).toBe('');
    expect(await seen(test)).toMatchObject({ status: 'waiting', messages: 0, credits_reserved: 1 });
    await goesOn();
    expect(await send(test)).toMatch(/^250/);
    expect(await ends(test, 1)).toMatchObject({ messages: 1, report: { authentication: { dmarc: {} } } });
  });

  it('a worker that is killed while it judges a mail leaves it to another one', async () => {
    dnsHeld = held();
    const test = await make('none');
    expect(await send(test)).toMatch(/^250/);
    await dnsHeld.promise;
    await doomed.kill();
    dnsHeld = null;
    expect(await seen(test)).toMatchObject({ status: 'receiving', messages: 1, report: null });
    await goesOn();
    expect(await ends(test, 1)).toMatchObject({ messages: 1, report: { authentication: { dmarc: {} } } });
  });

  it('a worker that is killed while it looks into a seed leaves it to another one, which finds what is there', async () => {
    lookHeld = held();
    const test = await make('all');
    comesToSeed(test);
    expect(await send(test)).toMatch(/^250/);
    await sql(A_WHILE);
    await lookHeld.promise;
    await doomed.kill();
    lookHeld = null;
    expect(await seen(test)).toMatchObject({ placement: { measured: 0, pending: 1 } });
    await goesOn();
    expect(await ends(test, 5)).toMatchObject({ placement: { measured: 1, inbox: 1, missing: 0, seed_error: 0 } });
  });

  it('a worker that is killed while it writes down what a seed has told leaves nothing behind, and another one finds it again', async () => {
    const test = await make('all');
    const rows = await doomed.hold('SELECT 1 FROM placement_arrivals WHERE test_id = $1 FOR UPDATE', [test.id]);
    comesToSeed(test);
    expect(await send(test)).toMatch(/^250/);
    await sql('UPDATE placement_seeds SET check_due_at = now()');
    await killedAt(rows);
    expect(await seen(test)).toMatchObject({ placement: { measured: 0, pending: 1 } });
    await goesOn();
    expect(await ends(test, 5)).toMatchObject({ placement: { measured: 1, inbox: 1 } });
  });

  it('a worker that is killed while it settles a test has charged nothing and told nobody, and another one does both', async () => {
    const test = await make('all');
    const rows = await holdEvents();
    comesToSeed(test);
    expect(await send(test)).toMatch(/^250/);
    await sql(A_WHILE);
    await killedAt(rows);
    expect(await seen(test)).toMatchObject({ status: 'receiving', credits_charged: 0, credits_reserved: 5 });
    await goesOn();
    expect(await ends(test, 5)).toMatchObject({ placement: { measured: 1 } });
  });

  it('a worker that is killed while it settles a test whose seed could not be read gives the 4 credits of seeds back, once', async () => {
    lookHeld = held();
    const test = await make('all');
    const rows = await holdEvents();
    expect(await send(test)).toMatch(/^250/);
    await sql(`UPDATE placement_tests SET first_arrival_at = now() - interval '1 day', due_at = now() WHERE id = $1`, [
      test.id,
    ]);
    await killedAt(rows);
    expect(await seen(test)).toMatchObject({ status: 'receiving', credits_charged: 0, credits_reserved: 5 });
    await goesOn();
    expect(await ends(test, 1)).toMatchObject({ placement: { measured: 0, seed_error: 1, missing: 0 } });
  });

  it('a worker that is killed while a test expires for which nothing came gives all its credits back, once', async () => {
    const test = await make('all');
    const rows = await holdEvents();
    await sql('UPDATE placement_tests SET expires_at = now(), due_at = now() WHERE id = $1', [test.id]);
    await killedAt(rows);
    expect(await seen(test)).toMatchObject({ status: 'waiting', credits_reserved: 5 });
    await sql('UPDATE placement_tests SET due_at = now() WHERE id = $1', [test.id]);
    await goesOn();
    await ends(test, 0, 'expired');
  });

  it('a worker that is killed leaves accounts in order', async () => {
    const view = await createDataSource(doomed.database.url);
    try {
      expect((await new CreditsAudit(view).run()).differing).toEqual([]);
      const [charges] = await sql(
        `SELECT count(*)::integer AS charges, count(DISTINCT reservation_id)::integer AS reservations FROM credit_ledger WHERE kind = 'charge'`,
      );
      expect(charges).toEqual({ charges: 6, reservations: 6 });
    } finally {
      await view.destroy();
    }
  });
});
