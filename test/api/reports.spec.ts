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
import { mailWith, writtenReport, type WrittenReport } from '../support/dmarc-reports.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { type MailSender, mailSender } from '../support/mail-sender.js';
import { startService, type TestService } from '../support/service.js';

const NOW = Date.parse('2026-11-20T12:00:00Z');

let dns: DnsServer;
let service: TestService;
let sender: MailSender;
let account: FullAccount;
let now = NOW;
let monitors = 0;

beforeAll(async () => {
  dns = await startDnsServer({ zones: { '_mailsonde.silent.example': 'silent' } });
  service = await startService({ env: { dnsServers: [dns.address] }, clock: { now: () => now } });
  sender = mailSender(service.app.get(InboundServer).port!);
});

afterAll(async () => {
  sender.close();
  await service.close();
  await dns.close();
});

beforeEach(async () => {
  now = NOW;
  account = await createFullAccount({ url: service.env.databaseUrl });
});

const sql = (text: string, values: unknown[] = []) => onDatabase(service.env.databaseUrl, text, values);

/** A monitor as its room keeps it. */
async function makeMonitor(
  domain = 'example.com',
  { owner = account, kind = 'domain', simulated = false } = {},
): Promise<number> {
  const id = 2 ** 40 + ++monitors;
  await sql(
    `INSERT INTO monitors (id, account_id, simulated, kind, target, settings, interval_minutes, state, created_at, next_run_at)
     SELECT $1, account_id, $2, $3, $4, '{}', 1440, 'pending', now(), now() + interval '1 year' FROM api_keys WHERE id = $5`,
    [id, simulated, kind, domain, await keyIdOf(owner)],
  );
  return id;
}

async function keyIdOf(owner: FullAccount): Promise<unknown> {
  const { body } = await call(service, '/api/v1/keys', { key: owner.liveKey });
  return body.keys[0].id;
}

const ask = (path: string, key = account.liveKey): Promise<Reply> => call(service, `/api/v1/monitors/${path}`, { key });
const verify = (id: number | string, key = account.liveKey): Promise<Reply> =>
  call(service, `/api/v1/monitors/${id}/verify-ownership`, { method: 'POST', key });

/** Publishes the proof, and answers with the address for reports. */
async function prove(id: number, key = account.liveKey): Promise<string> {
  const { record } = (await verify(id, key)).body;
  dns.set(record.name.slice(0, -1), { TXT: ['something else', record.value] });
  const { body } = await verify(id, key);
  expect(body).toMatchObject({ verified: true, look: 'found' });
  return body.report_address;
}

const send = (to: string, mail: Buffer): Promise<string> =>
  sender.send({ from: 'reports@receiver.example', to, raw: mail });

const seconds = (ms: number): number => Math.floor(ms / 1_000);
const written = (report: WrittenReport = {}): Buffer =>
  mailWith(gzipSync(writtenReport({ begin: seconds(now - DAY_MS), end: seconds(now), ...report })));

async function addEndpoint(): Promise<void> {
  await sql(
    `INSERT INTO webhook_endpoints (account_id, simulated, url, events, secret, created_via, created_at)
     SELECT account_id, simulated, 'http://127.0.0.1:9/', ARRAY['dmarc.source_appeared'], '\\x00', 'api', now() FROM monitors WHERE id = $1`,
    [2 ** 40 + monitors],
  );
}

/** What was told of a monitor, in order. */
async function eventsOf(id: number): Promise<{ sources: { source: string }[] }[]> {
  const rows = await sql(
    `SELECT data FROM webhook_events WHERE type = 'dmarc.source_appeared' ORDER BY created_at, id`,
  );
  const all = rows.map(({ data }) => (typeof data === 'string' ? JSON.parse(data) : data));
  return all.filter(({ monitor_id: monitorId }) => monitorId === id);
}

describe('the proof whose a domain is', () => {
  it('the proof whose a domain is is a record to publish, gives an address for reports, and ends with the record', async () => {
    const id = await makeMonitor();
    const { status, body } = await verify(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ verified: false, look: 'missing', report_address: null, dmarc_tag: null });
    expect(body.record).toMatchObject({ name: '_mailsonde.example.com.', type: 'TXT' });
    const address = await prove(id);
    expect(address).toMatch(/^d-[a-z2-7]{16}@inbound\.localhost$/);
    expect((await verify(id)).body).toMatchObject({ report_address: address, dmarc_tag: `rua=mailto:${address}` });
    dns.set('_mailsonde.example.com', 'servfail');
    expect((await verify(id)).body).toMatchObject({ verified: true, look: 'no_answer', report_address: address });
    dns.set('_mailsonde.example.com', { TXT: ['something else'] });
    expect((await verify(id)).body).toMatchObject({ verified: false, look: 'missing' });
    expect(await send(address, written())).toMatch(/^550 5\.1\.1/);
  });

  it('the proof whose a domain is of one account proves nothing for another that watches the same domain', async () => {
    const id = await makeMonitor('shared.example');
    const other = await createFullAccount({ url: service.env.databaseUrl });
    const theirs = await makeMonitor('shared.example', { owner: other });
    await prove(id);
    expect((await verify(theirs, other.liveKey)).body).toMatchObject({ verified: false, look: 'missing' });
  });

  it('the proof whose a domain is is not given by a DNS that does not answer', async () => {
    const id = await makeMonitor('silent.example');
    expect((await verify(id)).body).toMatchObject({ verified: false, look: 'no_answer', report_address: null });
  });

  it('the proof whose a domain is with an idempotency key is answered once', async () => {
    const id = await makeMonitor('once.example');
    const asked = { method: 'POST', key: account.liveKey, headers: { 'idempotency-key': 'proof' } };
    const first = await call(service, `/api/v1/monitors/${id}/verify-ownership`, asked);
    dns.set('_mailsonde.once.example', { TXT: [first.body.record.value] });
    expect((await call(service, `/api/v1/monitors/${id}/verify-ownership`, asked)).body).toEqual(first.body);
  });
});

describe('reports of a monitor', () => {
  it('reports of a monitor are for its account and mode only, and for no agent', async () => {
    const id = await makeMonitor();
    const other = await createFullAccount({ url: service.env.databaseUrl });
    const agent = await register(service);
    for (const path of [`${id}/reports`, `${id}/sources`]) {
      expect((await ask(path)).status).toBe(200);
      for (const key of [other.liveKey, account.testKey])
        expect([(await ask(path, key)).status, (await ask(path, key)).body.code]).toEqual([404, 'monitor_not_found']);
      expect((await ask(path, agent)).status).toBe(403);
    }
    for (const key of [other.liveKey, account.testKey]) expect((await verify(id, key)).status).toBe(404);
    expect((await verify(id, agent)).status).toBe(403);
  });

  it.each(['0', '-1', 'x', '1%00', '99999999999999999', '1.5'])(
    'reports of a monitor are not found under the id %s',
    async (id) => {
      for (const path of [`${id}/reports`, `${id}/sources`])
        expect([(await ask(path)).status, (await ask(path)).body.code]).toEqual([404, 'monitor_not_found']);
      expect((await verify(id)).status).toBe(404);
    },
  );

  it.each([
    'from=yesterday',
    'to=2026-02-30',
    'from=2026-11-02&to=2026-11-01',
    'from=2024-01-01&to=2026-01-01',
    'limit=0',
    'limit=1001',
    'from=%00',
  ])('reports of a monitor refuse the query %s', async (query) => {
    const { status, body } = await ask(`${await makeMonitor()}/sources?${query}`);
    expect([status, body.code]).toEqual([422, 'invalid_input']);
  });

  it('reports of a monitor refuse cursors of others', async () => {
    const id = await makeMonitor();
    for (const query of ['cursor=x', 'cursor=%00', 'limit=101'])
      expect((await ask(`${id}/reports?${query}`)).status).toBe(422);
  });

  it('reports of a monitor of an address are none, and it has nobody to prove', async () => {
    const id = await makeMonitor('8.8.4.25', { kind: 'address' });
    expect((await ask(`${id}/reports`)).body).toEqual({ reports: [], next_cursor: null });
    expect([(await verify(id)).status, (await verify(id)).body.code]).toEqual([409, 'monitor_without_domain']);
  });
});

describe('a report that comes by mail', () => {
  let id: number;
  let address: string;

  beforeEach(async () => {
    id = await makeMonitor();
    address = await prove(id);
  });

  it('a report that comes by mail is shown with what it counts, once however often it comes', async () => {
    const mail = written({
      records: [
        {
          source: '192.0.2.10',
          count: 90,
          authResults:
            '<dkim><domain>esp.example</domain><result>pass</result></dkim><spf><domain>example.com</domain><result>pass</result></spf>',
        },
        { source: '192.0.2.10', count: 6, dkim: 'fail', disposition: 'quarantine' },
        {
          source: '2001:db8::7',
          count: 10,
          dkim: 'fail',
          spf: 'fail',
          disposition: 'reject',
          authResults: '<spf><domain>evil.example</domain><result>fail</result></spf>',
        },
        { headerFrom: 'example.org' },
      ],
    });
    expect(await send(address, mail)).toMatch(/^250/);
    expect(await send(address, mail)).toMatch(/^250/);
    const { reports } = (await ask(`${id}/reports`)).body;
    expect(reports).toEqual([
      expect.objectContaining({
        domain: 'example.com',
        organization: 'receiver.example',
        report_id: 'r-1',
        form: 'rfc7489',
        messages: 106,
        passed: 96,
        records_left_out: 1,
        received_at: new Date(now).toISOString(),
      }),
    ]);
    expect((await ask(`${id}/sources`)).body.sources).toEqual([
      {
        source: '192.0.2.10',
        messages: 96,
        passed: 96,
        failed: 0,
        spf_passed: 96,
        spf_aligned: 96,
        dkim_passed: 90,
        dkim_aligned: 90,
        quarantined: 6,
        rejected: 0,
        reporters: 1,
        authenticated_as: ['esp.example', 'example.com'],
        first_seen_at: new Date(now).toISOString(),
        failure_reports: [],
      },
      expect.objectContaining({
        source: '2001:db8::7',
        messages: 10,
        passed: 0,
        failed: 10,
        rejected: 10,
        authenticated_as: [],
      }),
    ]);
  });

  it('a report that comes by mail is counted in the period in which it begins', async () => {
    await send(address, written());
    await send(
      address,
      written({ reportId: 'r-2', begin: seconds(now - 10 * DAY_MS), end: seconds(now - 9 * DAY_MS) }),
    );
    const messagesOf = async (query: string): Promise<number[]> =>
      (await ask(`${id}/sources?${query}`)).body.sources.map(({ messages }: { messages: number }) => messages);
    expect(await messagesOf('')).toEqual([6]);
    expect(await messagesOf('from=2026-11-19&to=2026-11-19')).toEqual([3]);
    expect(await messagesOf('to=2026-11-18')).toEqual([3]);
    expect(await messagesOf('from=2026-11-11&to=2026-11-18')).toEqual([]);
  });

  it('a report that comes by mail is left out of the sources, and counted as such, where newer reports have all the rows that a sum reads', async () => {
    await send(
      address,
      written({ reportId: 'old', begin: seconds(now - 10 * DAY_MS), end: seconds(now - 9 * DAY_MS) }),
    );
    await send(address, written({ reportId: 'new' }));
    const asked = async () => (await ask(`${id}/sources`)).body;
    expect(await asked()).toMatchObject({ reports_left_out: 0, sources: [{ messages: 6 }] });
    await sql(`UPDATE dmarc_reports SET row_count = 200000 WHERE monitor_id = $1 AND report_id = 'new'`, [id]);
    expect(await asked()).toMatchObject({ reports_left_out: 1, sources: [{ messages: 3 }] });
  });

  it('a report that comes by mail is listed newest first, a page at a time', async () => {
    for (const reportId of ['a', 'b', 'c']) {
      await send(address, written({ reportId }));
      now += 1_000;
    }
    const first = (await ask(`${id}/reports?limit=2`)).body;
    expect(first.reports.map(({ report_id }: { report_id: string }) => report_id)).toEqual(['c', 'b']);
    const second = (await ask(`${id}/reports?limit=2&cursor=${first.next_cursor}`)).body;
    expect(second.reports.map(({ report_id }: { report_id: string }) => report_id)).toEqual(['a']);
  });

  it.each([
    ['another domain', { domain: 'example.org', records: [{ headerFrom: 'example.com' }] }],
    ['a domain that only ends alike', { domain: 'notexample.com' }],
    ['a domain above', { domain: 'com.example' }],
    ['the far future', { begin: seconds(NOW + 9 * DAY_MS), end: seconds(NOW + 10 * DAY_MS) }],
    ['the far past', { begin: 1, end: 2 }],
  ])('a report that comes by mail about %s is taken from its sender and kept nowhere', async (_, report) => {
    expect(await send(address, written(report))).toMatch(/^250/);
    expect((await ask(`${id}/reports`)).body.reports).toEqual([]);
    expect((await sql('SELECT FROM dmarc_reports WHERE monitor_id = $1', [id])).length).toBe(0);
  });

  it('a report that comes by mail about another account of the service reaches nobody', async () => {
    const other = await createFullAccount({ url: service.env.databaseUrl });
    const theirs = await makeMonitor('victim.example', { owner: other });
    await prove(theirs, other.liveKey);
    await send(address, written({ domain: 'victim.example' }));
    expect((await ask(`${theirs}/reports`, other.liveKey)).body.reports).toEqual([]);
    expect((await ask(`${id}/reports`)).body.reports).toEqual([]);
  });

  it('a report that comes by mail that is none is taken and kept nowhere, and what is after it comes through', async () => {
    for (const mail of [
      mailWith('nothing'),
      mailWith(gzipSync('<feedback>')),
      Buffer.from('\r\n'),
      mailWith(gzipSync(Buffer.alloc(60_000_000))),
    ])
      expect(await send(address, mail)).toMatch(/^250/);
    await send(address, written({ domain: 'sub.EXAMPLE.com' }));
    expect((await ask(`${id}/reports`)).body.reports).toMatchObject([{ domain: 'sub.example.com' }]);
  });

  it('a report that comes by mail for nobody is refused at RCPT', async () => {
    const token = address.slice(2, 18);
    for (const to of [
      `d-${'a'.repeat(16)}@inbound.localhost`,
      `x-${token}@inbound.localhost`,
      `d-${token}@example.com`,
    ])
      expect(await send(to, written())).toMatch(/^550/);
    expect(await send(address.toUpperCase(), written())).toMatch(/^250/);
  });

  it('a report that comes by mail is sent for later when the domain has taken its share of the day', async () => {
    await send(address, written());
    await sql('UPDATE dmarc_reports SET row_count = $2 WHERE monitor_id = $1', [id, REPORT_SETTINGS.rowsPerDay]);
    expect(await send(address, written({ reportId: 'r-2' }))).toMatch(/^451/);
    now += DAY_MS;
    expect(await send(address, written({ reportId: 'r-2' }))).toMatch(/^250/);
  });

  it('a report that comes by mail that comes many times at once is kept once', async () => {
    await addEndpoint();
    await send(address, written({ reportId: 'first' }));
    now += REPORT_SETTINGS.learningMs + 1;
    const mail = {
      raw: written({ reportId: 'twice', records: [{ source: '203.0.113.9', count: 50 }] }),
      receivedAt: new Date(now),
    };
    const envelope = { clientAddress: '127.0.0.1', clientName: '', mailFrom: '', recipient: address, tls: null };
    const token = address.slice(2, 18);
    const mailbox = service.app.get(ReportMailbox);
    expect(await Promise.all(Array.from({ length: 8 }, () => mailbox.take(token, { ...mail, ...envelope })))).toEqual(
      Array(8).fill(true),
    );
    expect((await ask(`${id}/sources`)).body.sources).toMatchObject([
      { source: '203.0.113.9', messages: 50 },
      { messages: 3 },
    ]);
    expect(await eventsOf(id)).toHaveLength(1);
  });

  it('a report that comes by mail tells once of a source that is new and sends enough, and of none while the domain is learned', async () => {
    await addEndpoint();
    const told = async (): Promise<string[][]> =>
      (await eventsOf(id)).map(({ sources }) => sources.map(({ source }) => source));
    const report = (reportId: string, sources: Record<string, number>): Promise<string> =>
      send(
        address,
        written({ reportId, records: Object.entries(sources).map(([source, count]) => ({ source, count })) }),
      );
    await report('1', { '192.0.2.1': 500, '192.0.2.2': 1 });
    expect(await told()).toEqual([]);
    now += REPORT_SETTINGS.learningMs + 1;
    await report('2', {
      '192.0.2.1': 500,
      '192.0.2.2': 500,
      '192.0.2.3': REPORT_SETTINGS.minSourceMessages - 1,
      '192.0.2.4': 20,
    });
    expect(await told()).toEqual([['192.0.2.4']]);
    now += 1_000;
    await report('3', { '192.0.2.3': 1, '192.0.2.4': 20 });
    expect(await told()).toEqual([['192.0.2.4'], ['192.0.2.3']]);
    now += 1_000;
    await report('4', Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`198.51.100.${at}`, 100 + at])));
    expect((await eventsOf(id)).at(-1)).toMatchObject({
      domain: 'example.com',
      sources_count: 60,
      organization: 'receiver.example',
    });
    expect((await told()).at(-1)).toHaveLength(REPORT_SETTINGS.sourcesPerEvent);
    expect((await told()).at(-1)![0]).toBe('198.51.100.59');
  });

  it('a report that comes by mail goes when its plan keeps it no longer, with its rows, and with its monitor and account', async () => {
    await send(address, written());
    now += 500 * DAY_MS;
    await service.app.get(ReportsCleanup).run();
    expect(await sql('SELECT FROM dmarc_reports WHERE monitor_id = $1', [id])).toEqual([]);
    expect(await sql('SELECT FROM dmarc_sources WHERE monitor_id = $1', [id])).toEqual([]);
    await send(address, written());
    await sql('DELETE FROM monitors WHERE id = $1', [id]);
    expect(
      await sql('SELECT FROM dmarc_rows LEFT JOIN dmarc_reports ON id = dmarc_rows.report_id WHERE id IS NULL'),
    ).toEqual([]);
    expect(await send(address, written({ reportId: 'late' }))).toMatch(/^550/);
  });
});

describe('reports of test mode', () => {
  it('reports of test mode are there as soon as the domain is proven, with an event, once', async () => {
    const id = await makeMonitor('shop.example', { simulated: true });
    await addEndpoint();
    // With a key the proof itself is only committed with the reply.
    const asked = { method: 'POST', key: account.testKey, headers: { 'idempotency-key': 'first' } };
    expect((await call(service, `/api/v1/monitors/${id}/verify-ownership`, asked)).body).toMatchObject({
      verified: true,
    });
    expect((await verify(id, account.testKey)).body).toMatchObject({ verified: true });
    expect((await ask(`${id}/reports`, account.testKey)).body.reports).toHaveLength(2);
    expect((await ask(`${id}/sources`, account.testKey)).body.sources).toMatchObject([
      { source: '192.0.2.10', messages: 240, passed: 240 },
      { source: '198.51.100.7', messages: 40, failed: 40 },
    ]);
    expect(await eventsOf(id)).toMatchObject([{ sources: [{ source: '198.51.100.7' }] }]);
    const unproven = await makeMonitor('unproven.example', { simulated: true });
    expect((await verify(unproven, account.testKey)).body).toMatchObject({ verified: false, look: 'missing' });
  });
});
