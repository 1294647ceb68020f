import { expect, it } from 'vitest';
import { createFullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call } from '../support/call.js';
import { startDoomedWorker } from '../support/doomed-worker.js';

const ROUNDS = Number(process.env['MONITOR_KILL_ROUNDS'] ?? 2);

it('a worker that is killed between a run and its event loses neither and doubles neither', async () => {
  const doomed = await startDoomedWorker();
  const { api, database, sink } = doomed;
  const { testKey: key } = await createFullAccount(database);
  const endpoint = await doomed.endpoint(key);

  for (let round = 0; round < ROUNDS; round++) {
    // The delivery of an event waits for the row of its endpoint: the run is written by then, and not committed.
    const held = await doomed.hold('SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR UPDATE', [endpoint.id]);
    const target = `no-dmarc.round${round}.example.com`;
    const body = { kind: 'domain', target, notify_first: true };
    const { body: monitor } = await call(api, '/api/v1/monitors', { key, body });
    await held.awaited();
    await doomed.kill();
    await held.release();
    const counts = () =>
      onDatabase(
        database.url,
        `SELECT (SELECT count(*)::integer FROM monitor_runs WHERE monitor_id = $1 AND number = 1) AS runs,
                (SELECT count(*)::integer FROM monitor_events WHERE monitor_id = $1 AND type = 'finding.opened') AS opened,
                (SELECT count(*)::integer FROM webhook_events WHERE type = 'monitor.changed' AND data LIKE $2) AS events`,
        [monitor.id, `%"target":"${target}"%`],
      );
    await expect.poll(counts).toEqual([{ runs: 0, opened: 0, events: 0 }]);
    // What passes by itself in less than two minutes.
    await onDatabase(database.url, 'UPDATE monitors SET leased_until = now()');
    await doomed.replace();
    const received = () =>
      sink.received.filter(({ body: { type, data } }) => type === 'monitor.changed' && data.target === target);
    await expect.poll(received).toHaveLength(1);
    expect(received()[0]!.body.data).toMatchObject({ monitor_id: monitor.id, opened: [{ code: 'dmarc_missing' }] });
    expect(await counts()).toEqual([{ runs: 1, opened: 1, events: 1 }]);
    await call(api, `/api/v1/monitors/${monitor.id}`, { key, method: 'PATCH', body: { enabled: false } });
  }
});
