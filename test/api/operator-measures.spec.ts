import { afterAll, beforeAll, expect, it } from 'vitest';
import { KnownOperatorMeasures } from '../../src/verify/ports/known-operator-measures.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey, runAdmin } from '../support/admin.js';
import { onDatabase } from '../support/batches.js';
import { call } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startDnsServer, type DnsServer } from '../support/dns-server.js';
import { startService, type TestService } from '../support/service.js';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.js';

/** Operators whose own domains are believed to be no catch-all; nobody makes up names at the second one. */
const MEASURED = 'yandex.ru';
const LEFT_ALONE = 'outlook.com';

let database: TestDatabase;
let dns: DnsServer;
let smtp: TestSmtpServer;
let service: TestService;
let account: FullAccount;
let key: string;
/** What the mail hosts answer to names that nobody has. */
let toNobody = 'accept';
let asked: string[] = [];
let number = 0;

beforeAll(async () => {
  smtp = await startSmtpServer({
    recipients: (to) => {
      asked.push(to);
      return to.startsWith('real') ? 'accept' : toNobody;
    },
  });
  dns = await startDnsServer({
    zones: {
      [MEASURED]: { MX: [[10, 'mx.yandex.ru']] },
      'mx.yandex.ru': { A: ['127.0.0.1'] },
      [LEFT_ALONE]: { MX: [[10, 'outlook-com.olc.protection.outlook.com']] },
      'outlook-com.olc.protection.outlook.com': { A: ['127.0.0.1'] },
    },
  });
  database = await createTestDatabase();
  account = await createFullAccount(database);
  service = await start();
  key = await createAdminKey(service);
});

afterAll(async () => {
  await service.close();
  await smtp.close();
  await dns.close();
  await database.drop();
});

const start = () =>
  startService({
    database,
    env: { dnsServers: [dns.address], smtpPort: smtp.port, mxAllowedNetworks: ['127.0.0.0/8'] },
  });

async function verify(at: TestService, domain = MEASURED) {
  const { body } = await call(at, '/api/v1/verify', {
    key: account.liveKey,
    body: { email: `real${++number}@${domain}` },
  });
  return `${body.verdict} ${body.reason}`;
}

async function measuredOf(name: string) {
  const { body } = await call(service, '/admin/v1/operators', { key });
  return body.operators.find((operator: { name: string }) => operator.name === name).measured;
}

/** Another hour has passed since the operator was asked, and the processes know. */
async function anHourLater(...processes: readonly TestService[]) {
  await onDatabase(database.url, "UPDATE operator_measures SET asked_at = asked_at - interval '1 hour'");
  for (const { app } of processes) await app.get(KnownOperatorMeasures, { strict: false }).read();
}

/** What `npm run admin -- operators list` shows. */
async function listed(): Promise<string> {
  return (await runAdmin(service, 'operators', 'list')).out;
}

const madeUp = () => asked.filter((to) => !to.startsWith('real'));

it('an operator that is believed to refuse unknown names is asked one an hour, and is a catch-all for every process once it has accepted two', async () => {
  toNobody = 'accept';
  const other = await start();
  expect(await measuredOf('yandex')).toBeNull();
  expect(await verify(service)).toBe('valid mailbox_exists');
  await expect.poll(() => measuredOf('yandex')).toMatchObject({ accepted_in_a_row: 1, accepts_all_since: null });
  expect(await verify(other)).toBe('valid mailbox_exists');
  expect(await verify(service)).toBe('valid mailbox_exists');
  expect(madeUp()).toHaveLength(1);

  await anHourLater(service, other);
  expect(await verify(other)).toBe('valid mailbox_exists');
  await expect
    .poll(() => measuredOf('yandex'))
    .toMatchObject({
      accepted_in_a_row: 2,
      accepts_all_since: expect.any(String),
      domain: MEASURED,
      mail_host: 'mx.yandex.ru',
      reply: expect.stringMatching(/^250/),
    });
  await anHourLater(service);
  expect(await verify(service)).toBe('risky catch_all');
  expect(await verify(other)).toBe('risky catch_all');
  const third = await start();
  expect(await verify(third)).toBe('risky catch_all');
  expect(await listed()).toContain(`mx.yandex.ru said "250`);
  expect(new Set(madeUp()).size).toBe(madeUp().length);
  await expect.poll(() => madeUp().length).toBe(3);
  await third.close();
  await other.close();
});

it('an operator that refuses a made-up name is believed again', async () => {
  toNobody = '550 5.1.1 No such user';
  await anHourLater(service);
  expect(await verify(service)).toBe('risky catch_all');
  await expect.poll(() => measuredOf('yandex')).toMatchObject({ accepted_in_a_row: 0, accepts_all_since: null });
  expect(await verify(service)).toBe('valid mailbox_exists');
});

it('an answer that says nothing about a made-up name changes nothing', async () => {
  for (const answer of ['451 4.7.1 Greylisted', '554 5.7.1 Blocked using zen.spamhaus.org']) {
    toNobody = answer;
    await anHourLater(service);
    const before = madeUp().length;
    expect(await verify(service)).toBe('valid mailbox_exists');
    await expect.poll(() => madeUp().length).toBe(before + 1);
    expect(await measuredOf('yandex')).toMatchObject({ accepted_in_a_row: 0, accepts_all_since: null });
  }
});

it('an operator that counts unknown names against us is never asked one', async () => {
  asked = [];
  toNobody = 'accept';
  expect(await verify(service, LEFT_ALONE)).toBe('valid mailbox_exists');
  expect(await verify(service, LEFT_ALONE)).toBe('valid mailbox_exists');
  expect(madeUp()).toEqual([]);
  expect(await measuredOf('outlook')).toBeNull();
});
