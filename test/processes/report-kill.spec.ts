import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { createFullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call } from '../support/call.js';
import { mailWith, writtenReport } from '../support/dmarc-reports.js';
import { startDoomedWorker } from '../support/doomed-worker.js';

const ROUNDS = Number(process.env['REPORT_KILL_ROUNDS'] ?? 1);
const MESSAGES = 50;
/** Where the worker stands when it is killed: rows that it needs and somebody else has. */
const MOMENTS = [
  ['before anything is written', 'SELECT 1 FROM report_addresses WHERE monitor_id = $1 FOR UPDATE'],
  ['when all but its event is written', 'SELECT 1 FROM webhook_endpoints WHERE $1::bigint > 0 FOR UPDATE'],
] as const;

it('a worker that is killed while it takes a report loses none: it is counted once, and told of once', async () => {
  const doomed = await startDoomedWorker();
  const { api, database, sink } = doomed;
  // Behind a test key a domain is proven at once, and known for days: each new source is told of at its first report.
  const { testKey: key } = await createFullAccount(database);
  await doomed.endpoint(key);
  const body = { kind: 'domain', target: 'shop.example.com' };
  const { body: monitor } = await call(api, '/api/v1/monitors', { key, body });
  const ask = (path: string, method = 'GET') => call(api, `/api/v1/monitors/${monitor.id}/${path}`, { key, method });
  const { report_address: address } = (await ask('verify-ownership', 'POST')).body;
  const { reports: before } = (await ask('reports')).body;
  const now = Math.floor(Date.now() / 1_000);
  let sent = 0;

  const write = (): { source: string; mail: Buffer } => {
    const source = `203.0.113.${++sent}`;
    const records = [{ source, count: MESSAGES, headerFrom: 'shop.example.com' }];
    const report = { reportId: `r-${sent}`, domain: 'shop.example.com', begin: now - 86_400, end: now, records };
    return { source, mail: mailWith(gzipSync(writtenReport(report))) };
  };
  const isOnce = async (source: string): Promise<void> => {
    const told = () =>
      sink.received.filter(
        ({ body: { type, data } }) => type === 'dmarc.source_appeared' && data.sources[0].source === source,
      );
    await expect.poll(told).toHaveLength(1);
    const { sources } = (await ask('sources')).body;
    expect(sources.filter((one: { source: string }) => one.source === source)).toMatchObject([{ messages: MESSAGES }]);
    expect((await ask('reports')).body.reports).toHaveLength(before.length + sent);
  };

  for (let round = 0; round < ROUNDS; round++) {
    for (const [, rows] of MOMENTS) {
      const { source, mail } = write();
      const held = await doomed.hold(rows, [monitor.id]);
      const lost = doomed.mail(address, mail);
      await held.awaited();
      await doomed.kill();
      expect(await lost).toBe('');
      await held.release();
      expect((await ask('reports')).body.reports).toHaveLength(before.length + sent - 1);
      await doomed.replace();
      // Its sender has heard nothing, and comes again.
      expect(await doomed.mail(address, mail)).toMatch(/^250/);
      await isOnce(source);
    }

    // Kept, and nothing delivered: who delivers needs the row for itself, who writes an event only needs it to be there.
    const { source, mail } = write();
    const held = await doomed.hold('SELECT 1 FROM webhook_endpoints FOR NO KEY UPDATE');
    expect(await doomed.mail(address, mail)).toMatch(/^250/);
    await doomed.kill();
    await held.release();
    await doomed.replace();
    // Whether its sender has heard so or not.
    expect(await doomed.mail(address, mail)).toMatch(/^250/);
    await isOnce(source);
  }
  const events = await onDatabase(
    database.url,
    `SELECT count(*)::integer AS events FROM webhook_events WHERE type = 'dmarc.source_appeared' AND data LIKE '%203.0.113.%'`,
  );
  expect(events).toEqual([{ events: sent }]);
});
