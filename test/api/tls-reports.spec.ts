import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/lib/durations.js';
import { InboundServer } from '../../src/deliverability/inbound/inbound-server.js';
import { ReportMailbox } from '../../src/deliverability/reports/report-mailbox.js';
import { ReportsCleanup } from '../../src/deliverability/reports/reports-cleanup.js';
import { REPORT_SETTINGS } from '../../src/deliverability/reports/report-settings.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call, register, type Reply } from '../support/call.js';
import { mailWith } from '../support/dmarc-reports.js';
import { type MailSender, mailSender } from '../support/mail-sender.js';
import { startService, type TestService } from '../support/service.js';
import { writtenTlsFailure, writtenTlsReport, type WrittenTlsReport } from '../support/tls-reports.js';

const NOW = Date.parse('2026-11-20T12:00:00Z');

let service: TestService;
let sender: MailSender;
let account: FullAccount;
let now = NOW;
let monitors = 0;
let id: number;
let address: string;

beforeAll(async () => {
  service = await startService({ clock: { now: () => now } });
  sender = mailSender(service.app.get(InboundServer).port!);
});

afterAll(async () => {
  sender.close();
  await service.close();
});

beforeEach(async () => {
  now = NOW;
  account = await createFullAccount({ url: service.env.databaseUrl });
  ({ id, address } = await makeProven(account));
});

const sql = (text: string, values: unknown[] = []) => onDatabase(service.env.databaseUrl, text, values);
const ask = (path: string, key = account.liveKey): Promise<Reply> => call(service, `/api/v1/monitors/${path}`, { key });

/** A monitor of `example.com` whose owner has proven it. */
async function makeProven({ accountId }: FullAccount): Promise<{ id: number; address: string }> {
  const monitor = 2 ** 41 + ++monitors;
  const token = [...randomBytes(16)].map((byte) => 'abcdefghijklmnopqrstuvwxyz234567'[byte % 32]).join('');
  await sql(
    `WITH monitor AS (
       INSERT INTO monitors (id, account_id, simulated, kind, target, settings, interval_minutes, state, created_at, next_run_at)
       VALUES ($1, $2, false, 'domain', 'example.com', '{}', 1440, 'pending', now(), now() + interval '1 year') RETURNING id)
     INSERT INTO report_addresses (monitor_id, challenge, token, created_at, verified_at) SELECT id, 'c', $3, now(), now() FROM monitor`,
    [monitor, accountId, token],
  );
  return { id: monitor, address: `d-${token}@inbound.localhost` };
}

const send = (mail: Buffer, to = address): Promise<string> =>
  sender.send({ from: 'tls@sender.example', to, raw: mail });

const written = (report: WrittenTlsReport = {}): Buffer =>
  mailWith(gzipSync(JSON.stringify(writtenTlsReport(report))), { type: 'application/tlsrpt+gzip', name: 'r.json.gz' });
const reports = async (query = ''): Promise<Reply['body'][]> => (await ask(`${id}/tls-reports${query}`)).body.reports;
const day = (at: number): string => new Date(at).toISOString();

describe('reports on encryption', () => {
  it('reports on encryption are for the account and mode of their monitor only, and for no agent', async () => {
    const other = await createFullAccount({ url: service.env.databaseUrl });
    const agent = await register(service);
    for (const path of [`${id}/tls-reports`, `${id}/tls-failures`]) {
      expect((await ask(path)).status).toBe(200);
      for (const key of [other.liveKey, account.testKey])
        expect([(await ask(path, key)).status, (await ask(path, key)).body.code]).toEqual([404, 'monitor_not_found']);
      expect((await ask(path, agent)).status).toBe(403);
    }
  });

  it.each(['0', '-1', 'x', '1%00', '99999999999999999'])(
    'reports on encryption are not found under the id %s',
    async (wrong) => {
      for (const path of [`${wrong}/tls-reports`, `${wrong}/tls-failures`])
        expect([(await ask(path)).status, (await ask(path)).body.code]).toEqual([404, 'monitor_not_found']);
    },
  );

  it.each(['from=yesterday', 'to=2026-02-30', 'from=2026-11-02&to=2026-11-01', 'limit=0', 'limit=1001', 'from=%00'])(
    'reports on encryption refuse the query %s',
    async (query) => {
      const { status, body } = await ask(`${id}/tls-failures?${query}`);
      expect([status, body.code]).toEqual([422, 'invalid_input']);
    },
  );

  it.each(['cursor=x', 'cursor=%00', 'limit=101'])('reports on encryption refuse the page %s', async (query) => {
    expect((await ask(`${id}/tls-reports?${query}`)).status).toBe(422);
  });
});

describe('a report on encryption that comes by mail', () => {
  it('a report on encryption that comes by mail is shown with what it counts, once however often it comes', async () => {
    const failures = [
      writtenTlsFailure({ 'failure-reason-code': 'X509_V_ERR_CERT_HAS_EXPIRED' }),
      writtenTlsFailure({ 'sending-mta-ip': '192.0.2.77', 'failed-session-count': 3 }),
      writtenTlsFailure({ 'result-type': 'starttls-not-supported', 'failed-session-count': 200 }),
      writtenTlsFailure({ 'failed-session-count': -1 }),
    ];
    const mail = written({ failures });
    expect(await send(mail)).toMatch(/^250/);
    expect(await send(mail)).toMatch(/^250/);
    expect(await reports()).toEqual([
      {
        id: expect.any(Number),
        organization: 'sender.example',
        report_id: '5065427c-23d3@sender.example',
        begins_at: '2026-11-19T00:00:00.000Z',
        ends_at: '2026-11-19T23:59:59.000Z',
        policies: [{ policy_type: 'sts', domain: 'example.com', successful_sessions: 5_326, failed_sessions: 303 }],
        successful_sessions: 5_326,
        failed_sessions: 303,
        failures_left_out: 1,
        received_at: day(now),
      },
    ]);
    const { body } = await ask(`${id}/tls-failures`);
    expect(body).toMatchObject({ reports: 1, successful_sessions: 5_326, failed_sessions: 303 });
    expect(body.failures).toEqual([
      {
        result: 'starttls-not-supported',
        policy_type: 'sts',
        mail_host: 'mx1.mail.example.com',
        sessions: 200,
        reporters: 1,
        senders: 1,
        sender_addresses: ['2001:db8:abcd:12::1'],
        reasons: [],
        last_begins_at: '2026-11-19T00:00:00.000Z',
      },
      expect.objectContaining({
        result: 'certificate-expired',
        sessions: 103,
        senders: 2,
        sender_addresses: ['192.0.2.77', '2001:db8:abcd:12::1'],
        reasons: ['X509_V_ERR_CERT_HAS_EXPIRED'],
      }),
    ]);
    // Those of DMARC stand beside them, and are others.
    expect((await ask(`${id}/reports`)).body.reports).toEqual([]);
  });

  it('a report on encryption that comes by mail is listed newest first, a page at a time, and counted in the period in which it begins', async () => {
    for (const reportId of ['a', 'b', 'c']) {
      await send(written({ reportId }));
      now += 1_000;
    }
    const { body: first } = await ask(`${id}/tls-reports?limit=2`);
    expect(first.reports.map(({ report_id: one }: Reply['body']) => one)).toEqual(['c', 'b']);
    expect((await reports(`?limit=2&cursor=${first.next_cursor}`)).map(({ report_id: one }) => one)).toEqual(['a']);
    for (const [query, sessions] of [
      ['', 300],
      ['?from=2026-11-19&to=2026-11-19', 300],
      ['?to=2026-11-18', undefined],
    ] as const)
      expect((await ask(`${id}/tls-failures${query}`)).body.failures[0]?.sessions).toBe(sessions);
    expect((await ask(`${id}/tls-failures?to=2026-11-18`)).body).toMatchObject({ reports: 0, failed_sessions: 0 });
  });

  it('a report on encryption that comes by mail is left out of the failures, and counted as such, where newer reports have all the rows that a sum reads', async () => {
    const [begin, end] = ['2026-11-18T00:00:00Z', '2026-11-18T23:59:59Z'];
    await send(written({ reportId: 'old', begin, end }));
    await send(written({ reportId: 'new' }));
    const { body: all } = await ask(`${id}/tls-failures`);
    expect(all).toMatchObject({ reports: 2, reports_left_out: 0, failures: [{ sessions: 200 }] });
    await sql(`UPDATE tls_reports SET row_count = 200000 WHERE monitor_id = $1 AND report_id = 'new'`, [id]);
    const { body } = await ask(`${id}/tls-failures`);
    expect(body).toMatchObject({ reports: 2, reports_left_out: 1, failures: [{ sessions: 100 }] });
    expect((await ask(`${id}/tls-failures?to=2026-11-18`)).body).toMatchObject({ reports: 1, reports_left_out: 0 });
  });

  it('a report on encryption that comes by mail is counted by day and by what its senders kept to, and of their addresses five are shown', async () => {
    const of = (type: string, failed: number, failures: unknown[] = []): unknown =>
      (writtenTlsReport({ type, successful: 10, failed, failures }) as { policies: unknown[] }).policies[0];
    const from = Array.from({ length: 7 }, (_, i) => writtenTlsFailure({ 'sending-mta-ip': `192.0.2.${i}` }));
    await send(written({ reportId: 'a', policies: [of('sts', 700, from), of('sts', 0), of('tlsa', 2)] }));
    await send(written({ reportId: 'b', organization: 'other.example', policies: [of('sts', 1)] }));
    const [begin, end] = ['2026-11-18T00:00:00Z', '2026-11-18T23:59:59Z'];
    await send(written({ reportId: 'c', begin, end, policies: [of('no-policy-found', 0)] }));
    const { body } = await ask(`${id}/tls-failures`);
    const on = (day: string, policy_type: string, successful_sessions: number, failed_sessions: number) => {
      return { day, policy_type, successful_sessions, failed_sessions };
    };
    expect(body.days).toEqual([
      on('2026-11-18', 'no-policy-found', 10, 0),
      on('2026-11-19', 'sts', 30, 701),
      on('2026-11-19', 'tlsa', 10, 2),
    ]);
    expect(body.failures[0]).toMatchObject({ senders: 7 });
    expect(body.failures[0].sender_addresses).toHaveLength(5);
    expect((await ask(`${id}/tls-failures?to=2026-11-18`)).body.days).toHaveLength(1);
    expect((await ask(`${id}/tls-failures?to=2026-11-17`)).body.days).toEqual([]);
  });

  it.each<[string, WrittenTlsReport]>([
    ['another domain', { domain: 'example.org' }],
    ['a domain that only ends alike', { domain: 'notexample.com' }],
    ['the far future', { begin: day(NOW + 9 * DAY_MS), end: day(NOW + 10 * DAY_MS) }],
    ['the far past', { begin: '1999-01-01T00:00:00Z', end: '1999-01-02T00:00:00Z' }],
  ])(
    'a report on encryption that comes by mail about %s is taken from its sender and kept nowhere',
    async (_, report) => {
      expect(await send(written(report))).toMatch(/^250/);
      expect(await reports()).toEqual([]);
    },
  );

  it('a report on encryption that comes by mail leaves out policies of domains that are not the monitor’s', async () => {
    const of = (domain: string): unknown => (writtenTlsReport({ domain }) as { policies: unknown[] }).policies[0];
    await send(written({ policies: ['example.org', 'mail.EXAMPLE.com'].map(of) }));
    expect(await reports()).toMatchObject([
      { policies: [{ domain: 'mail.example.com' }], successful_sessions: 5_326, failed_sessions: 303 },
    ]);
  });

  it('a report on encryption that comes by mail that is none is taken and kept nowhere, and what is after it comes through', async () => {
    for (const json of [
      '{"',
      `{"policies":${'['.repeat(100_000)}`,
      JSON.stringify(writtenTlsReport({ organization: '\0' })),
      JSON.stringify(writtenTlsReport({ successful: 1e308 })),
      ' '.repeat(60_000_000),
    ])
      expect(await send(mailWith(gzipSync(json)))).toMatch(/^250/);
    expect(await reports()).toEqual([]);
    const nul = writtenTlsFailure({ 'failure-reason-code': 'a\0b', 'receiving-mx-hostname': 'mx\0.example.com' });
    expect(await send(written({ organization: 'sender\0example', failures: [nul] }))).toMatch(/^250/);
    expect(await reports()).toMatchObject([{ organization: 'sender example' }]);
    expect((await ask(`${id}/tls-failures`)).body.failures).toMatchObject([{ mail_host: null, reasons: ['a b'] }]);
  });

  it('a report on encryption that comes by mail that comes many times at once is kept once', async () => {
    const mail = { raw: written(), receivedAt: new Date(now), clientAddress: '127.0.0.1', clientName: '' };
    const envelope = { mailFrom: '', recipient: address, tls: null };
    const mailbox = service.app.get(ReportMailbox);
    const token = address.slice(2, 18);
    expect(await Promise.all(Array.from({ length: 8 }, () => mailbox.take(token, { ...mail, ...envelope })))).toEqual(
      Array(8).fill(true),
    );
    expect(await reports()).toHaveLength(1);
    expect((await ask(`${id}/tls-failures`)).body.failures).toMatchObject([{ sessions: 100 }]);
  });

  it('a report on encryption that comes by mail is sent for later when the domain has taken its share of the day', async () => {
    await send(written());
    await sql('UPDATE tls_reports SET row_count = $2 WHERE monitor_id = $1', [id, REPORT_SETTINGS.rowsPerDay]);
    expect(await send(written({ reportId: 'r-2' }))).toMatch(/^451/);
    now += DAY_MS;
    expect(await send(written({ reportId: 'r-2' }))).toMatch(/^250/);
  });

  it('a report on encryption that comes by mail goes when its plan keeps it no longer, and with its monitor', async () => {
    await send(written());
    now += 500 * DAY_MS;
    await service.app.get(ReportsCleanup).run();
    expect(await sql('SELECT FROM tls_reports WHERE monitor_id = $1', [id])).toEqual([]);
    now = NOW;
    await send(written());
    await sql('DELETE FROM monitors WHERE id = $1', [id]);
    expect(
      await sql(
        'SELECT FROM tls_failures LEFT JOIN tls_reports AS report ON report.id = tls_failures.report_id WHERE report.id IS NULL',
      ),
    ).toEqual([]);
  });
});

it('a domain of test mode has a report on encryption as soon as it is proven, once', async () => {
  const key = account.testKey;
  const { body: monitor } = await call(service, '/api/v1/monitors', {
    key,
    body: { kind: 'domain', target: 'shop.example' },
  });
  for (let time = 0; time < 2; time++) {
    const { body } = await call(service, `/api/v1/monitors/${monitor.id}/verify-ownership`, { key, method: 'POST' });
    expect(body.tls_record).toEqual({
      name: '_smtp._tls.shop.example.',
      type: 'TXT',
      value: `v=TLSRPTv1; rua=mailto:${body.report_address}`,
    });
  }
  const { body } = await ask(`${monitor.id}/tls-failures`, key);
  expect(body).toMatchObject({
    reports: 1,
    successful_sessions: 300,
    failures: [{ result: 'certificate-expired', mail_host: 'mx2.shop.example', sessions: 12 }],
  });
  const { body: unproven } = await call(service, '/api/v1/monitors', {
    key,
    body: { kind: 'domain', target: 'unproven.example' },
  });
  const path = `/api/v1/monitors/${unproven.id}/verify-ownership`;
  expect((await call(service, path, { key, method: 'POST' })).body).toMatchObject({
    verified: false,
    tls_record: null,
  });
});
