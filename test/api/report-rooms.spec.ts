import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/lib/durations.js';
import { InboundServer } from '../../src/deliverability/inbound/inbound-server.js';
import { PROOF_MS } from '../../src/deliverability/reports/proven-reporters.service.js';
import { ReportsCleanup } from '../../src/deliverability/reports/reports-cleanup.js';
import { REPORT_SETTINGS } from '../../src/deliverability/reports/report-settings.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call, type Reply } from '../support/call.js';
import { failureMail, mailWith, writtenReport, type WrittenReport } from '../support/dmarc-reports.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { type MailSender, mailSender } from '../support/mail-sender.js';
import { ManualClock } from '../support/manual-clock.js';
import { DKIM_RECORD, type MailToSign, signedInPart, signedMail } from '../support/sign-mail.js';
import { startService, type TestService } from '../support/service.js';

const NOW = Date.parse('2026-11-20T12:00:00Z');

/** A string of a TXT record has 255 octets at most. */
const strings = (record: string): string[] => record.match(/.{1,255}/g)!;

let dns: DnsServer;
let service: TestService;
let sender: MailSender;
let account: FullAccount;
let now = NOW;
const timer = new ManualClock();
let id = 2 ** 41;

beforeAll(async () => {
  dns = await startDnsServer({
    zones: {
      'receiver.example': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
      'mail.other.example': { TXT: ['v=spf1 a:mx.other.example -all'] },
      'mx.other.example': { A: ['127.0.0.1'] },
      'one.github.io': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
      'two.github.io': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
      'bounces.google.com': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
      'yahoo.com': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
      'dmarc.yahoo.com': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
      'silent.example': { TXT: 'silent' },
      'forger.example': { TXT: ['v=spf1 -all'] },
      's1._domainkey.signer.example': { TXT: [strings(DKIM_RECORD)] },
      's1._domainkey.forger.example': { TXT: [strings(DKIM_RECORD)] },
      's1._domainkey.trial.example': { TXT: [strings(`${DKIM_RECORD}; t=y`)] },
    },
  });
  service = await startService({ env: { dnsServers: [dns.address] }, clock: { now: () => now }, timer });
  sender = mailSender(service.app.get(InboundServer).port!);
});

afterAll(async () => {
  sender.close();
  await service.close();
  await dns.close();
});

/** A monitor whose domain is proven. */
beforeEach(async () => {
  now = NOW;
  id += 1;
  account = await createFullAccount({ url: service.env.databaseUrl });
  await sql(
    `INSERT INTO monitors (id, account_id, simulated, kind, target, settings, interval_minutes, state, created_at, next_run_at)
     VALUES ($1, $2, false, 'domain', 'example.com', '{}', 1440, 'pending', now(), now() + interval '1 year')`,
    [id, account.accountId],
  );
  await sql(
    `INSERT INTO report_addresses (monitor_id, challenge, token, created_at, verified_at) VALUES ($1, 'x', $2, now(), now())`,
    [id, token()],
  );
});

const token = (): string => `token${id}`;
const sql = (text: string, values: unknown[] = []) => onDatabase(service.env.databaseUrl, text, values);
const ask = (path: string, key = account.liveKey): Promise<Reply> =>
  call(service, `/api/v1/monitors/${id}/${path}`, { key });
const seconds = (ms: number): number => Math.floor(ms / 1_000);
const written = (report: WrittenReport = {}): Buffer =>
  mailWith(gzipSync(writtenReport({ begin: seconds(now - DAY_MS), end: seconds(now), ...report })));

/** Reports by their numbers, in a mail that a domain has signed. */
function signedReports(
  from: string,
  signer: string | null,
  reportIds: readonly string[],
  more: MailToSign = {},
): Promise<Buffer> {
  const period = { begin: seconds(now - DAY_MS), end: seconds(now) };
  const attachments = reportIds.map((reportId) => ({
    filename: `${reportId}.xml`,
    content: writtenReport({ ...period, reportId }),
  }));
  return signedMail({ ...more, from, signer, attachments });
}

const send = (mail: Buffer, from = 'reports@forger.example'): Promise<string> =>
  sender.send({ from, to: `d-${token()}@inbound.localhost`, raw: mail });

describe('a mail to the address for reports that cannot be read', () => {
  it('a mail to the address for reports that cannot be read is listed for its owner with the reason, newest first, and counted', async () => {
    const mails: [Buffer, string][] = [
      [mailWith('nothing'), 'reports@receiver.example'],
      [mailWith(gzipSync('<feedback>')), ''],
      [written({ domain: 'example.org' }), 'reports@receiver.example'],
    ];
    for (const [mail, from] of mails) {
      now += 1_000;
      expect(await send(mail, from)).toMatch(/^250/);
    }
    const { body } = await ask('reports/unreadable');
    expect(body).toMatchObject({ count: 3, next_cursor: null });
    expect(body.unreadable).toMatchObject([
      { reason: 'other_domain', sender_domain: 'receiver.example', received_at: new Date(now).toISOString() },
      { reason: 'xml_malformed', explanation: 'The report is not valid XML.', sender_domain: null },
      { reason: 'no_report', sender_domain: 'receiver.example', bytes: mails[0]![0].length },
    ]);
    expect(JSON.stringify(body)).not.toContain('@');
    const first = (await ask('reports/unreadable?limit=2')).body;
    const rest = (await ask(`reports/unreadable?limit=2&cursor=${first.next_cursor}`)).body;
    expect([...first.unreadable, ...rest.unreadable]).toEqual(body.unreadable);
  });

  it('a mail to the address for reports that cannot be read is listed beside the others of its domain up to a hundred of them, for as long as its plan keeps reports', async () => {
    await sql(
      `INSERT INTO unreadable_reports (id, monitor_id, reason, bytes, received_at)
       SELECT $1::bigint * 1000 + n, $1, 'no_report', 1, $2::timestamptz - n * interval '1 second' FROM generate_series(1, 120) AS n`,
      [id, new Date(now)],
    );
    await send(mailWith('nothing'));
    const [{ kept }] = (await sql('SELECT count(*)::integer AS kept FROM unreadable_reports WHERE monitor_id = $1', [
      id,
    ])) as [{ kept: number }];
    expect(kept).toBe(REPORT_SETTINGS.unreadable);
    expect((await ask('reports/unreadable?limit=1')).body).toMatchObject({
      unreadable: [{ bytes: expect.any(Number) }],
    });
    now += 500 * DAY_MS;
    await service.app.get(ReportsCleanup).run();
    expect((await ask('reports/unreadable')).body).toMatchObject({ count: 1, unreadable: [] });
  });

  it('a mail to the address for reports that cannot be read of a proven reporter keeps its place, whatever others send, and pushes out nobody but itself', async () => {
    expect(await send(mailWith('nothing'), 'reports@receiver.example')).toMatch(/^250/);
    await sql(
      `INSERT INTO unreadable_reports (id, monitor_id, reason, reporter, bytes, received_at)
       SELECT $1::bigint * 1000 + n, $1, 'no_report', CASE WHEN n > 120 THEN 'other.example' END, 1, $2::timestamptz + n * interval '1 second'
         FROM generate_series(1, 120 + $3::integer) AS n`,
      [id, new Date(now), REPORT_SETTINGS.unreadablePerReporter],
    );
    now += 3_600_000;
    expect(await send(mailWith('nothing more'), 'dmarc@mail.other.example')).toMatch(/^250/);
    const { unreadable } = (await ask('reports/unreadable?limit=100')).body;
    expect(unreadable[0]).toMatchObject({ reporter: 'other.example', sender_domain: 'mail.other.example' });
    expect(
      await sql(
        `SELECT reporter, count(*)::integer AS kept FROM unreadable_reports WHERE monitor_id = $1 GROUP BY reporter ORDER BY reporter`,
        [id],
      ),
    ).toEqual([
      { reporter: 'other.example', kept: REPORT_SETTINGS.unreadablePerReporter },
      { reporter: 'receiver.example', kept: 1 },
      { reporter: null, kept: REPORT_SETTINGS.unreadable },
    ]);
  });

  it('a mail to the address for reports that cannot be read is counted once, however often its sender tries', async () => {
    for (let n = 0; n < 3; n++) expect(await send(mailWith('nothing'))).toMatch(/^250/);
    await send(mailWith('nothing else'));
    expect((await ask('reports/unreadable')).body).toMatchObject({ count: 2, unreadable: [{}, {}] });
  });

  it('a mail to the address for reports that cannot be read is shown to nobody else', async () => {
    const other = await createFullAccount({ url: service.env.databaseUrl });
    for (const key of [other.liveKey, account.testKey])
      expect((await ask('reports/unreadable', key)).body.code).toBe('monitor_not_found');
  });
});

describe('a domain whose share of the day is full', () => {
  const fill = async (): Promise<void> => {
    expect(await send(written({ reportId: 'filler' }))).toMatch(/^250/);
    await sql('UPDATE dmarc_reports SET row_count = $2 WHERE monitor_id = $1', [id, REPORT_SETTINGS.rowsPerDay]);
  };

  it('a domain whose share of the day is full takes reports of those whose mail passes SPF, and tells others to come again', async () => {
    await fill();
    expect(await send(written({ reportId: 'r-1' }))).toMatch(/^451/);
    expect(await send(written({ reportId: 'r-1' }), '')).toMatch(/^451/);
    expect(await send(written({ reportId: 'r-1' }), 'reports@receiver.example')).toMatch(/^250/);
    expect(await send(written({ reportId: 'r-2' }), 'dmarc@mail.other.example')).toMatch(/^250/);
    expect((await ask('reports')).body.reports).toHaveLength(3);
    expect(await sql('SELECT reporter FROM dmarc_reports WHERE monitor_id = $1 ORDER BY report_id', [id])).toEqual([
      { reporter: null },
      { reporter: 'receiver.example' },
      { reporter: 'other.example' },
    ]);
  });

  it('a domain whose share of the day is full lists what it does not take, once for each report however often its sender tries', async () => {
    await fill();
    for (let n = 0; n < 2; n++) expect(await send(written({ reportId: 'r-1' }))).toMatch(/^451/);
    const [one, ...others] = (await ask('reports/unreadable')).body.unreadable;
    expect(one).toMatchObject({ reason: 'too_many', sender_domain: 'forger.example', reporter: null });
    expect(one.explanation).toContain('send the report again later');
    expect(others).toEqual([]);
  });

  it('a domain whose share of the day is full takes reports of those who have signed their mail for the domain in From, and of no other signature', async () => {
    await fill();
    const honest = await signedReports('dmarc@reports.signer.example', 'signer.example', ['r-1']);
    const changed = Buffer.from(honest.toString('latin1').replace('Hello, reader', 'Hello, forger'), 'latin1');
    expect(changed.equals(honest)).toBe(false);
    for (const forged of [
      changed,
      await signedReports('dmarc@signer.example', 'forger.example', ['r-1']),
      await signedReports('dmarc@keyless.example', 'keyless.example', ['r-1']),
      await signedReports('dmarc@trial.example', 'trial.example', ['r-1']),
    ])
      expect(await send(forged)).toMatch(/^451/);
    expect(await send(honest)).toMatch(/^250/);
    expect(await send(await signedReports('dmarc@signer.example', 'signer.example', ['r-2']), '')).toMatch(/^250/);
    expect(await sql('SELECT reporter FROM dmarc_reports WHERE monitor_id = $1 ORDER BY report_id', [id])).toEqual([
      { reporter: null },
      { reporter: 'signer.example' },
      { reporter: 'signer.example' },
    ]);
  });

  it('a domain whose share of the day is full takes no report of a signature by SHA-1, which receivers ignore', async () => {
    await fill();
    const mail = await signedReports('dmarc@signer.example', 'signer.example', ['r-1'], { hash: 'sha1' });
    expect(await send(mail)).toMatch(/^451/);
  });

  it('a domain whose share of the day is full takes no report that stands behind the end of what is signed, where anybody may have written it', async () => {
    await fill();
    const mail = await signedReports('dmarc@signer.example', null, ['r-1']);
    const octets = mail.length - mail.indexOf('\r\n\r\n') - 4;
    for (const signed of [0, 100, octets - 1])
      expect(await send(signedInPart(mail, 'signer.example', signed))).toMatch(/^451/);
    expect(await send(signedInPart(mail, 'signer.example', octets))).toMatch(/^250/);
  });

  it('a domain whose share of the day is full looks at ten signatures of a mail, however many somebody writes', async () => {
    await fill();
    const mail = await signedReports('dmarc@signer.example', 'signer.example', ['r-1']);
    const [signature] = /^DKIM-Signature:[^]*?\r\n(?=\S)/m.exec(mail.toString('latin1'))!;
    const behind = (count: number) =>
      Buffer.concat([
        ...Array.from({ length: count }, (_, n) => Buffer.from(signature.replace('s=s1', `s=none${count}x${n}`))),
        mail,
      ]);
    expect(await send(behind(100))).toMatch(/^451/);
    expect(await send(behind(10))).toMatch(/^451/);
    expect(dns.questions.filter(({ name }) => name.startsWith('none100x'))).toHaveLength(10);
    expect(await send(behind(9))).toMatch(/^250/);
  });

  it('a domain whose share of the day is full takes a mail whose envelope has no room left in the room of its signature', async () => {
    await fill();
    expect(await send(written({ reportId: 'a-1' }), 'reports@receiver.example')).toMatch(/^250/);
    await sql(`UPDATE dmarc_reports SET row_count = $2 WHERE monitor_id = $1 AND reporter = 'receiver.example'`, [
      id,
      REPORT_SETTINGS.rowsPerReporter,
    ]);
    const mail = await signedReports('dmarc@signer.example', 'signer.example', ['r-1', 'r-2']);
    expect(await send(mail, 'reports@receiver.example')).toMatch(/^250/);
    expect(
      await sql(`SELECT reporter FROM dmarc_reports WHERE monitor_id = $1 AND report_id LIKE 'r-%'`, [id]),
    ).toEqual([{ reporter: 'signer.example' }, { reporter: 'signer.example' }]);
  });

  it('a domain whose share of the day is full gives all names that a hoster gives away one room together', async () => {
    await fill();
    expect(await send(written({ reportId: 'r-1' }), 'reports@one.github.io')).toMatch(/^250/);
    await sql(`UPDATE dmarc_reports SET row_count = $2 WHERE monitor_id = $1 AND reporter IS NOT NULL`, [
      id,
      REPORT_SETTINGS.rowsPerReporter,
    ]);
    expect(await send(written({ reportId: 'r-2' }), 'reports@two.github.io')).toMatch(/^451/);
    expect(await send(written({ reportId: 'r-2' }), 'reports@receiver.example')).toMatch(/^250/);
  });

  it('a domain whose share of the day is full takes reports of the largest operators, however many domains have filled the rooms of reporters', async () => {
    await fill();
    expect(await send(written({ reportId: 'r-1' }), 'reports@mail.other.example')).toMatch(/^250/);
    await sql(`UPDATE dmarc_reports SET row_count = $2 WHERE monitor_id = $1 AND reporter = 'other.example'`, [
      id,
      REPORT_SETTINGS.rowsOfReporters,
    ]);
    expect(await send(written({ reportId: 'r-2' }), 'reports@receiver.example')).toMatch(/^451/);
    expect(await send(written({ reportId: 'r-2' }), 'anybody@yahoo.com')).toMatch(/^451/);
    expect(await send(written({ reportId: 'r-2' }), 'noreply@dmarc.yahoo.com')).toMatch(/^250/);
    expect(await send(written({ reportId: 'r-3' }), 'noreply@bounces.google.com')).toMatch(/^250/);
  });

  it('a domain whose share of the day is full reads the reports of others while a sender has its DNS say nothing, and takes that one as unproven when the time is over', async () => {
    await fill();
    const waiting = ['r-1', 'r-2'].map((reportId) => send(written({ reportId }), 'reports@silent.example'));
    await timer.armed(PROOF_MS, waiting.length);
    expect(await send(written({ reportId: 'filler' }))).toMatch(/^250/);
    timer.advance(PROOF_MS);
    for (const reply of await Promise.all(waiting)) expect(reply).toMatch(/^451/);
  });

  it('a domain whose share of the day is full lets no reporter fill the room of another', async () => {
    await fill();
    expect(await send(written({ reportId: 'r-1' }), 'dmarc@mail.other.example')).toMatch(/^250/);
    await sql(`UPDATE dmarc_reports SET row_count = $2 WHERE monitor_id = $1 AND reporter = 'other.example'`, [
      id,
      REPORT_SETTINGS.rowsPerReporter,
    ]);
    expect(await send(written({ reportId: 'r-2' }), 'dmarc@mail.other.example')).toMatch(/^451/);
    expect(await send(written({ reportId: 'r-2' }), 'reports@receiver.example')).toMatch(/^250/);
  });
});

describe('a report of one message that failed', () => {
  it('a report of one message that failed stands with the source that sent the message, without an address, and is counted', async () => {
    await send(written({ records: [{ source: '192.0.2.77', count: 5, dkim: 'fail' }] }));
    for (let n = 0; n < 2; n++) expect(await send(failureMail())).toMatch(/^250/);
    await send(failureMail({ 'Source-IP': '203.0.113.9', 'Auth-Failure': 'spf' }));
    const { sources } = (await ask('sources')).body;
    expect(sources).toMatchObject([
      {
        source: '192.0.2.77',
        messages: 5,
        failure_reports: [
          {
            domain: 'example.com',
            failure: 'dkim',
            delivery: 'reject',
            dkim_domain: 'mail.example.com',
            dkim_selector: 's1',
            messages: 6,
            last_at: new Date(now).toISOString(),
          },
        ],
      },
      { source: '203.0.113.9', messages: 0, failure_reports: [{ failure: 'spf', messages: 3 }] },
    ]);
    expect(JSON.stringify(sources)).not.toContain('@');
  });

  it('a report of one message that failed has a share of the day as others have, and room for those who are proven to have sent it', async () => {
    await sql(
      `INSERT INTO failure_arrivals (monitor_id, row_count, received_at) SELECT $1, 1, $2 FROM generate_series(1, $3)`,
      [id, new Date(now), REPORT_SETTINGS.reportsPerDay - 1],
    );
    expect(await send(failureMail())).toMatch(/^250/);
    expect(await send(failureMail())).toMatch(/^451/);
    expect(await send(failureMail(), 'reports@receiver.example')).toMatch(/^250/);
    now += DAY_MS;
    await service.app.get(ReportsCleanup).run();
    expect(await send(failureMail())).toMatch(/^250/);
    const [source] = (await ask('sources')).body.sources;
    expect(source.failure_reports).toMatchObject([{ messages: 9 }]);
    expect(await sql('SELECT reporter FROM failure_arrivals WHERE monitor_id = $1', [id])).toEqual([
      { reporter: null },
    ]);
  });

  it('a report of one message that failed about another domain is listed as one that could not be kept', async () => {
    await sql(`UPDATE monitors SET target = 'example.org' WHERE id = $1`, [id]);
    await send(failureMail());
    expect((await ask('sources')).body.sources).toEqual([]);
    expect((await ask('reports/unreadable')).body.unreadable).toMatchObject([{ reason: 'other_domain' }]);
  });
});
