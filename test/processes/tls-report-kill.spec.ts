import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { createFullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call } from '../support/call.js';
import { mailWith } from '../support/dmarc-reports.js';
import { startDoomedWorker } from '../support/doomed-worker.js';
import { writtenTlsFailure, writtenTlsReport } from '../support/tls-reports.js';

const ROUNDS = Number(process.env['REPORT_KILL_ROUNDS'] ?? 1);
const DOMAIN = 'shop.example.com';
const [SUCCESSFUL, FAILED] = [1_000, 50];
/** Where the worker stands when it is killed: what it needs and somebody else has. */
const MOMENTS = [
  ['before anything is written', 'SELECT 1 FROM report_addresses WHERE monitor_id = $1 FOR UPDATE'],
  [
    'while its report is written',
    `INSERT INTO tls_reports (id, monitor_id, organization, report_id, begins_at, ends_at, policies, successful, failed, row_count, left_out,
                              received_at)
     VALUES (1, $1, 'sender.example', $2, now(), now(), '[]', 0, 0, 0, 0, now())`,
  ],
  ['when its report is written, and none of its failures', 'LOCK TABLE tls_failures IN SHARE MODE'],
] as const;

it('a worker that is killed while it takes a report on encryption loses none, and no session is counted twice', async () => {
  const doomed = await startDoomedWorker();
  const { api, database, sink } = doomed;
  // Behind a test key a domain is proven at once.
  const { testKey: key } = await createFullAccount(database);
  await doomed.endpoint(key);
  const body = { kind: 'domain', target: DOMAIN };
  const { body: monitor } = await call(api, '/api/v1/monitors', { key, body });
  const ask = (path: string, method = 'GET') => call(api, `/api/v1/monitors/${monitor.id}/${path}`, { key, method });
  const { report_address: address } = (await ask('verify-ownership', 'POST')).body;
  const { reports: before } = (await ask('tls-reports')).body;
  const now = Date.now();
  let sent = 0;

  const write = (): { mail: Buffer; reportId: string; mailHost: string } => {
    const mailHost = `in${++sent}.${DOMAIN}`;
    const reportId = `r-${sent}@sender.example`;
    const failures = [writtenTlsFailure({ 'receiving-mx-hostname': mailHost, 'failed-session-count': FAILED })];
    const [begin, end] = [new Date(now - 86_400_000).toISOString(), new Date(now).toISOString()];
    const report = { reportId, domain: DOMAIN, begin, end, successful: SUCCESSFUL, failed: FAILED, failures };
    const type = { type: 'application/tlsrpt+gzip', name: 'r.json.gz' };
    return { mail: mailWith(gzipSync(JSON.stringify(writtenTlsReport(report))), type), reportId, mailHost };
  };
  const kept = async () => (await ask('tls-reports')).body.reports.length - before.length;
  const { failures: _, ...counted } = (await ask('tls-failures')).body;
  const isOnce = async (mailHost: string): Promise<void> => {
    const told = (await ask('tls-failures')).body;
    expect(told).toMatchObject({
      reports: counted.reports + sent,
      successful_sessions: counted.successful_sessions + sent * SUCCESSFUL,
      failed_sessions: counted.failed_sessions + sent * FAILED,
    });
    const own = told.failures.filter((one: { mail_host: string }) => one.mail_host === mailHost);
    expect(own).toMatchObject([{ sessions: FAILED, reporters: 1 }]);
    expect(await kept()).toBe(sent);
  };

  for (let round = 0; round < ROUNDS; round++) {
    for (const [, rows] of MOMENTS) {
      const { mail, reportId, mailHost } = write();
      const values = [monitor.id, reportId].slice(0, new Set(rows.match(/\$\d/g)).size);
      const held = await doomed.hold(rows, values);
      const lost = doomed.mail(address, mail);
      await held.awaited();
      await doomed.kill();
      expect(await lost).toBe('');
      await held.release();
      expect(await kept()).toBe(sent - 1);
      await doomed.replace();
      // Its sender has heard nothing, and comes again.
      expect(await doomed.mail(address, mail)).toMatch(/^250/);
      await isOnce(mailHost);
    }

    // Kept, and killed at once: whether its sender has heard so or not, it comes again.
    const { mail, mailHost } = write();
    const heard = doomed.mail(address, mail);
    await expect.poll(kept).toBe(sent);
    await doomed.kill();
    expect(await heard).toMatch(/^(250.*)?$/);
    await doomed.replace();
    for (let again = 0; again < 2; again++) expect(await doomed.mail(address, mail)).toMatch(/^250/);
    await isOnce(mailHost);
  }
  // Nothing half is left, and nobody was told anything: of encryption only monitors tell.
  const [rows] = await onDatabase(
    database.url,
    `SELECT count(*)::integer AS failures, count(DISTINCT report_id)::integer AS reports FROM tls_failures
      WHERE mail_host ~ '^in[0-9]+[.]shop[.]' AND sessions = $1`,
    [FAILED],
  );
  expect(rows).toEqual({ failures: sent, reports: sent });
  const events = await onDatabase(database.url, `SELECT 1 FROM webhook_events WHERE data LIKE '%@sender.example%'`);
  expect(events).toEqual([]);
  expect(JSON.stringify(sink.received)).not.toContain('@sender.example');
});
