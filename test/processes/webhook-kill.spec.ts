import { expect, it } from 'vitest';
import { createFullAccount } from '../support/accounts.js';
import { call } from '../support/call.js';
import { startDoomedWorker } from '../support/doomed-worker.js';
import { held } from '../support/held.js';
import { verify } from '../support/webhook-sink.js';

const ROUNDS = Number(process.env['WEBHOOK_KILL_ROUNDS'] ?? 2);
/** In a round: one is sent when the worker is killed, the others wait behind it. */
const EVENTS = 3;

it('a worker that is killed between sending and recording loses nothing: every event comes again with the same id', async () => {
  const doomed = await startDoomedWorker();
  const { api, sink } = doomed;
  const { liveKey: key } = await createFullAccount(doomed.database);
  const endpoint = await doomed.endpoint(key);
  const path = `/api/v1/webhooks/${endpoint.id}`;

  for (let round = 0; round < ROUNDS; round++) {
    const sent = held<void>();
    // Received, and never answered: the worker waits for the reply, and has written nothing down.
    sink.answer = () => sent.resolve();
    const before = sink.received.length;
    const ids: string[] = [];
    for (let i = 0; i < EVENTS; i++)
      ids.push((await call(api, `${path}/test`, { key, method: 'POST' })).body.message_id);
    await sent.promise;
    await doomed.kill();
    expect(sink.received[before]!.headers['webhook-id']).toBe(ids[0]);
    sink.answer = (_, response) => response.writeHead(204).end();
    await doomed.replace();

    const received = await sink.until(before + 1 + EVENTS);
    expect(received.slice(before).map(({ headers }) => headers['webhook-id'])).toEqual([ids[0], ...ids]);
    for (const one of received.slice(before)) verify(endpoint.secret, one);
    expect(received[before + 1]!.text).toBe(received[before]!.text);
    await expect
      .poll(async () => (await call(api, `${path}/deliveries?status=pending`, { key })).body.deliveries, {
        interval: 20,
      })
      .toEqual([]);
  }
  const { body } = await call(api, `${path}/deliveries?status=succeeded&limit=100`, { key });
  expect(body.deliveries).toHaveLength(EVENTS * ROUNDS);
});
