import { gzipSync } from 'node:zlib';
import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../src/lib/durations.js';
import type { PlacementTest } from '../../src/deliverability/placement/placement-test.js';
import { PlacementTestHistoryService } from '../../src/deliverability/placement/placement-test-history.service.js';
import { ArrivalsStore } from '../../src/deliverability/placement/seeds/arrivals.store.js';
import { MailboxReader } from '../../src/deliverability/placement/seeds/mailbox-reader.js';
import { SeedReadsService, SeedPoller } from '../../src/deliverability/placement/seeds/seed-poller.js';
import { SeedRegister } from '../../src/deliverability/placement/seeds/seed-register.js';
import { SeedsService } from '../../src/deliverability/placement/seeds/seeds.service.js';
import { SeedsStore } from '../../src/deliverability/placement/seeds/seeds.store.js';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { ManualClock } from '../support/manual-clock.js';
import {
  type ImapScript,
  type ScriptedImapServer,
  startScriptedImapServer,
  type StoredMail,
} from '../support/scripted-imap-server.js';
import { startService, type TestService } from '../support/service.js';

const START = Date.parse('2026-11-26T10:00:00Z');

let database: TestDatabase;
let service: TestService;
let account: FullAccount;
let clock: ManualClock;
let poller: SeedPoller;
let seeds: SeedsService;
const servers: ScriptedImapServer[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  clock = new ManualClock(START);
  // Without workers: what is due is done when a test says so.
  const env = { role: 'api', imapAllowPrivate: true } as const;
  service = await startService({ database, clock, env });
  seeds = service.app.get(SeedsService, { strict: false });
  poller = new SeedPoller(get(SeedsStore), looksOf(get(MailboxReader)), clock, SYSTEM_TIMER);
  account = await createFullAccount(database);
});

afterAll(async () => {
  await service.close();
  await Promise.all(servers.map((server) => server.close()));
  await database.drop();
});

beforeEach(async () => {
  await onDatabase(database.url, 'DELETE FROM placement_tests');
  await onDatabase(database.url, 'DELETE FROM placement_seeds');
});

const get = <T>(type: new (...args: never[]) => T): T => service.app.get<T>(type, { strict: false });

function looksOf(reader: Pick<MailboxReader, 'find' | 'readOverview'>): SeedReadsService {
  return new SeedReadsService(
    get(DataSource),
    get(SeedsStore),
    get(ArrivalsStore),
    get(PlacementTestHistoryService),
    reader as MailboxReader,
    clock,
  );
}

/** A mailbox with its server, added as an administrator does, and read once. */
async function mailbox(script: ImapScript = {}, provider = 'other') {
  const inbox: StoredMail[] = [];
  const junk: StoredMail[] = [];
  const other: StoredMail[] = [];
  const folders = [
    { path: 'INBOX', mails: inbox },
    { path: 'Ungewollt', flags: ['\\Junk'], mails: junk },
    { path: 'News', mails: other },
    { path: 'Sent', flags: ['\\Sent'], mails: [] },
  ];
  const server = await startScriptedImapServer({ folders, ...script });
  servers.push(server);
  const seed = await get(DataSource).transaction((tx) =>
    get(SeedRegister).add(tx, {
      provider,
      address: `${randomUUID()}@mail.test`,
      host: server.host,
      port: server.port,
      security: 'none',
      login: 'seed@mail.test',
      authservId: 'mx.mail.test',
      credentials: { kind: 'password', password: 'pass' },
    }),
  );
  await poller.run();
  return { seed, server, inbox, junk, other };
}

async function placementTest(change: Partial<PlacementTest> = {}): Promise<PlacementTest> {
  const test: PlacementTest = {
    id: Math.floor(Math.random() * 2 ** 48),
    accountId: account.accountId,
    simulated: false,
    keyId: randomUUID(),
    token: tokenOf(),
    name: null,
    seeds: 'all',
    world: null,
    state: 'waiting',
    reservationId: null,
    creditsReserved: 5,
    creditsCharged: 0,
    settleMinutes: 30,
    messages: 0,
    attempts: 0,
    report: null,
    placement: null,
    createdAt: new Date(clock.now()),
    expiresAt: new Date(clock.now() + 60 * MINUTE_MS),
    firstArrivalAt: null,
    settledAt: null,
    ...change,
  };
  await get(DataSource).transaction(async (tx) => {
    await get(PlacementTestHistoryService).insertDue(tx, test, test.expiresAt);
    await seeds.assign(tx, test);
  });
  return test;
}

const tokenOf = (): string =>
  Array.from({ length: 16 }, () => 'abcdefghijklmnopqrstuvwxyz234567'[Math.floor(Math.random() * 32)]).join('');

/** As it is now. */
const current = async ({ token }: PlacementTest): Promise<PlacementTest> =>
  (await get(PlacementTestHistoryService).findByToken(token))!;

const seen = async (test: PlacementTest) => seeds.seen(await current(test));

let uid = 0;
function mail(head: string, { body = 'Hello', category }: { body?: string; category?: string } = {}): StoredMail {
  const raw = `From: Shop <a@shop.test>\nSubject: Sale\n${head}`.replaceAll('\n', '\r\n');
  uid += 1;
  return {
    uid,
    arrivedAt: new Date(clock.now() + 12_000),
    raw: `${raw}\r\n\r\n${body}\r\n`,
    ...(category && { category }),
  };
}

async function after(ms: number): Promise<void> {
  clock.advance(ms);
  await poller.run();
}

describe('a seed mailbox', () => {
  it('a seed mailbox is used by tests once it was read, and tells of each test where its mail was put', async () => {
    const [a, b, c] = [await mailbox(), await mailbox(), await mailbox()];
    expect(await seeds.usable()).toEqual([{ provider: 'other', seeds: 3 }]);
    const [one, two] = [await placementTest(), await placementTest()];
    expect((await seeds.addressesOf(one.id)).toSorted()).toEqual([a, b, c].map(({ seed }) => seed.address).toSorted());
    a.inbox.push(
      mail(
        `X-Mailsonde-Test: ${one.token}\nAuthentication-Results: mx.mail.test; spf=pass; dkim=fail; dmarc=pass\nX-Spam-Score: 3`,
      ),
    );
    a.junk.push(mail(`Subject: x\nTo: test-${two.token}@in.test`));
    b.other.push(mail('X: y', { body: `mailsonde-test: ${one.token}` }));
    await after(15_000);
    expect((await seen(one)).seeds.map(({ placement }) => placement).toSorted()).toEqual([
      'inbox',
      'other_folder',
      'pending',
    ]);
    expect((await seen(one)).seeds.find(({ placement }) => placement === 'inbox')).toEqual({
      provider: 'other',
      placement: 'inbox',
      tab: null,
      arrivedAfterS: 0,
      matchedBy: 'header',
      authentication: { spf: 'pass', dkim: 'fail', dmarc: 'pass' },
    });
    expect((await seen(one)).seeds.find(({ placement }) => placement === 'other_folder')?.matchedBy).toBe('body');
    expect((await seen(two)).seeds.filter(({ placement }) => placement === 'spam')).toMatchObject([
      { matchedBy: 'recipient' },
    ]);
    expect(await current(one)).toMatchObject({ state: 'receiving', messages: 0, firstArrivalAt: expect.any(Date) });
    const [kept] = await onDatabase(
      database.url,
      `SELECT evidence FROM placement_arrivals WHERE matched_by = 'header'`,
    );
    expect(JSON.stringify(kept)).toContain('x-spam-score');
  });

  it('a seed mailbox is one connection at a time, whoever looks, and is marked in nothing', async () => {
    const { server } = await mailbox();
    await placementTest();
    const others = Array.from(
      { length: 4 },
      () => new SeedPoller(get(SeedsStore), looksOf(get(MailboxReader)), clock, SYSTEM_TIMER),
    );
    clock.advance(15_000);
    await Promise.all(others.map((one) => one.run()));
    expect(server.open.most).toBe(1);
    expect(server.lines.filter((line) => line.startsWith('AUTHENTICATE'))).toHaveLength(2);
    expect(server.lines.filter((line) => /^(SELECT|UID STORE|STORE)/.test(line))).toEqual([]);
  });

  it('a seed mailbox is known by Message-ID, or by author and subject while one test of the account waits', async () => {
    const { inbox } = await mailbox();
    const { inbox: second } = await mailbox();
    const test = await placementTest();
    const raw = Buffer.from('From: a@shop.test\r\nSubject: Sale\r\nMessage-ID: <7@shop.test>\r\n\r\nHello');
    await get(DataSource).transaction(async (tx) => {
      const envelope = { mailFrom: '', recipient: 'x', clientAddress: '127.0.0.1', clientName: 'x', tls: null };
      const receivedAt = new Date(clock.now());
      const received = { ...envelope, receivedAt, raw };
      await get(PlacementTestHistoryService).insertMessage(tx, test.id, received, gzipSync(raw));
      await get(PlacementTestHistoryService).arrived(tx, test.id, receivedAt);
    });
    inbox.push(mail('Message-ID: <7@shop.test>'));
    second.push(mail('Message-ID: <8@shop.test>'));
    const other = await placementTest({ seeds: ['nobody'] });
    await after(15_000);
    expect((await seen(test)).seeds.map(({ matchedBy }) => String(matchedBy)).toSorted()).toEqual([
      'message_id',
      'null',
    ]);
    await onDatabase(database.url, `DELETE FROM placement_tests WHERE id = ${other.id}`);
    await after(30_000);
    expect((await seen(test)).seeds.map(({ matchedBy }) => String(matchedBy)).toSorted()).toEqual([
      'from_and_subject',
      'message_id',
    ]);
    expect((await seen(test)).isSettled).toBe(true);
  });

  it("a seed mailbox of Gmail's tells the tab, or none", async () => {
    const capabilities = ['IMAP4rev1', 'SPECIAL-USE', 'AUTH=PLAIN', 'SASL-IR', 'X-GM-EXT-1'];
    const gmail = await mailbox({ capabilities }, 'gmail');
    const [tab, none] = [await placementTest(), await placementTest()];
    gmail.inbox.push(mail(`X-Mailsonde-Test: ${tab.token}\nMessage-ID: <1@a.test>`, { category: 'promotions' }));
    gmail.inbox.push(mail(`X-Mailsonde-Test: ${none.token}\nMessage-ID: <2" OR category:social@a.test>`));
    await after(15_000);
    expect((await seen(tab)).seeds).toMatchObject([{ placement: 'tab', tab: 'promotions' }]);
    expect((await seen(none)).seeds).toMatchObject([{ placement: 'inbox', tab: null }]);
    expect(gmail.server.lines.filter((line) => line.includes('OR category'))).toEqual([]);
  });
});

describe('what was not found', () => {
  it('what was not found is missing when the mailbox was read at the end, and not before', async () => {
    const [a, b] = [await mailbox(), await mailbox()];
    const test = await placementTest();
    a.inbox.push(mail(`X-Mailsonde-Test: ${test.token}`));
    await after(15_000);
    for (let minute = 0; minute < 29; minute++) await after(MINUTE_MS);
    expect((await seen(test)).seeds.map(({ placement }) => placement).toSorted()).toEqual(['inbox', 'pending']);
    for (let minute = 0; minute < 3; minute++) await after(MINUTE_MS);
    expect(await seen(test)).toMatchObject({ isSettled: true });
    expect((await seen(test)).seeds.map(({ placement }) => placement).toSorted()).toEqual(['inbox', 'missing']);
    const asked = b.server.lines.length;
    await after(10 * MINUTE_MS);
    expect(b.server.lines.length).toBe(asked);
  });

  it('what was not found is an error of ours, and never missing, when the login fails at the end', async () => {
    let password = 'pass';
    const [a, b] = [
      await mailbox(),
      await mailbox({
        onLine: (line, { tag }) =>
          line.startsWith('AUTHENTICATE') && password !== 'pass'
            ? `${tag} NO [AUTHENTICATIONFAILED] no\r\n`
            : undefined,
      }),
    ];
    const test = await placementTest();
    a.inbox.push(mail(`X-Mailsonde-Test: ${test.token}`));
    await after(15_000);
    password = 'changed';
    for (let minute = 0; minute < 45; minute++) await after(MINUTE_MS);
    expect(await seen(test)).toMatchObject({ isSettled: true });
    expect((await seen(test)).seeds.map(({ placement }) => placement).toSorted()).toEqual(['inbox', 'seed_error']);
    // A refused login is tried again after ten minutes, so that no provider locks the account.
    expect(b.server.lines.filter((line) => line.startsWith('AUTHENTICATE')).length).toBeLessThan(9);
  });

  it('what was not found waits as long as nothing has come anywhere', async () => {
    await mailbox();
    const test = await placementTest();
    for (let minute = 0; minute < 50; minute++) await after(MINUTE_MS);
    expect(await seen(test)).toMatchObject({ isSettled: false, seeds: [{ placement: 'pending' }] });
  });
});

describe('a worker that dies while it reads', () => {
  it('a worker that dies while it reads leaves nothing behind, and another finds the mail', async () => {
    const { inbox, seed } = await mailbox();
    const test = await placementTest();
    inbox.push(mail(`X-Mailsonde-Test: ${test.token}`));
    clock.advance(15_000);
    const dead = await get(SeedsStore).lease(randomUUID(), new Date(clock.now()), new Date(clock.now() + 180_000));
    expect(dead?.id).toBe(seed.id);
    await poller.run();
    expect((await seen(test)).seeds).toMatchObject([{ placement: 'pending' }]);
    await after(180_000);
    expect((await seen(test)).seeds).toMatchObject([{ placement: 'inbox' }]);
  });

  it('a worker that dies while it reads writes nothing when it turns out to be only slow', async () => {
    const { inbox } = await mailbox();
    const test = await placementTest();
    inbox.push(mail(`X-Mailsonde-Test: ${test.token}`));
    clock.advance(15_000);
    const slow = looksOf({
      readOverview: () => Promise.reject(new Error('not asked')),
      find: async () => {
        await after(200_000);
        return new Map();
      },
    });
    const owner = randomUUID();
    const leased = await get(SeedsStore).lease(owner, new Date(clock.now()), new Date(clock.now() + 180_000));
    await slow.look(leased!, owner, new AbortController().signal);
    expect((await seen(test)).seeds).toMatchObject([{ placement: 'inbox' }]);
    const [row] = await onDatabase(database.url, 'SELECT looks, fault FROM placement_arrivals');
    expect(row).toMatchObject({ looks: 1, fault: null });
  });

  it('a worker that dies while it reads gives the mailbox back when it is told to stop', async () => {
    await mailbox();
    await placementTest();
    clock.advance(15_000);
    const stopping = new AbortController();
    stopping.abort();
    const owner = randomUUID();
    const leased = await get(SeedsStore).lease(owner, new Date(clock.now()), new Date(clock.now() + 180_000));
    await looksOf(get(MailboxReader)).look(leased!, owner, stopping.signal);
    const [row] = await onDatabase(database.url, 'SELECT lease_owner, why, failures FROM placement_seeds');
    expect(row).toEqual({ lease_owner: null, why: null, failures: 0 });
  });
});

describe('the health of a seed', () => {
  it('the health of a seed is checked once an hour, and three failures in a row turn it off', async () => {
    let isUp = true;
    const { server } = await mailbox({
      onLine: (line, { tag }) =>
        line.startsWith('AUTHENTICATE') && !isUp ? `${tag} NO [UNAVAILABLE] away\r\n` : undefined,
    });
    const health = async () => (await get(SeedsStore).list())[0]!;
    const logins = () => server.lines.filter((line) => line.startsWith('AUTHENTICATE')).length;
    expect(await health()).toMatchObject({ state: 'on', failures: 0, lastOkAt: new Date(clock.now()) });
    await after(59 * MINUTE_MS);
    expect(logins()).toBe(1);
    isUp = false;
    const failures: number[] = [];
    for (let hour = 0; hour < 5; hour++) {
      await after(60 * MINUTE_MS);
      failures.push((await health()).failures);
    }
    expect(failures).toEqual([1, 2, 3, 3, 3]);
    expect(await health()).toMatchObject({ state: 'off', why: expect.stringMatching(/^login_refused: .*away/) });
    expect(logins()).toBe(4);
    expect(await seeds.usable()).toEqual([]);
    expect(await seeds.isUsable('all')).toBe(false);
  });

  it('the health of a seed is well again after one success', async () => {
    let isUp = false;
    await mailbox({ onConnect: ({ socket }) => void (isUp || socket.destroy()) });
    await after(61 * MINUTE_MS);
    expect((await get(SeedsStore).list())[0]).toMatchObject({ failures: 2, why: 'connection_failed' });
    isUp = true;
    await after(61 * MINUTE_MS);
    expect((await get(SeedsStore).list())[0]).toMatchObject({ failures: 0, why: null, state: 'on' });
  });

  it('the health of a seed is no matter of a test that fails between two checks', async () => {
    let isUp = true;
    await mailbox({ onConnect: ({ socket }) => void (isUp || socket.destroy()) });
    await placementTest();
    isUp = false;
    for (let minute = 0; minute < 20; minute++) await after(MINUTE_MS);
    expect((await get(SeedsStore).list())[0]).toMatchObject({ failures: 0, state: 'on', why: 'connection_failed' });
  });
});

it('a test key has no seeds, and a test may want those of some providers', async () => {
  const [a] = [await mailbox(), await mailbox({}, 'gmx')];
  const some = await placementTest({ seeds: ['other', 'nobody'] });
  const none = await placementTest({ seeds: 'none' });
  const simulated = await placementTest({ simulated: true });
  expect(await seeds.addressesOf(some.id)).toEqual([a.seed.address]);
  expect([await seeds.addressesOf(none.id), await seeds.addressesOf(simulated.id)]).toEqual([[], []]);
  expect(await seen(none)).toEqual({ seeds: [], isSettled: true });
});
