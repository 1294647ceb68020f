import { join } from 'node:path';
import type { EntityManager } from 'typeorm';
import { isObject, object, passing } from '../lib/checked-json.js';
import { checked, CONFIG_DIRECTORY, readJson } from '../platform/config/config-file.js';
import { EVENT_TYPES, type EventType } from './outbox.js';

export const SAMPLED_EVENTS: readonly EventType[] = [...EVENT_TYPES, 'webhook.test'];

/** The `data` of an example of each event. It names nothing that is there, so that a receiver cannot take it for a real one. */
const SAMPLES = readSamples();

/** @throws ConfigurationError for an event without an example, or an example of no event */
function readSamples(): Readonly<Record<EventType, object>> {
  const name = 'config/event-samples.json';
  const members = passing<object>(isObject, 'an object');
  const ofEach = Object.fromEntries(SAMPLED_EVENTS.map((type) => [type, members])) as Record<EventType, typeof members>;
  return checked(name, readJson(name, join(CONFIG_DIRECTORY, 'event-samples.json')), object(ofEach));
}

interface Receiver {
  readonly id: string;
  readonly accountId: string;
  readonly simulated: boolean;
}

/** Writes an example of an event for one endpoint alone. @returns the id of the delivery */
export async function addSample(tx: EntityManager, receiver: Receiver, type: EventType, at: Date): Promise<string> {
  const rows: { id: string }[] = await tx.query(
    `WITH event AS (
       INSERT INTO webhook_events (id, account_id, simulated, type, created_at, data, sample)
       VALUES (gen_random_uuid(), $2, $3, $4, $5, $6, true) RETURNING id
     )
     INSERT INTO webhook_deliveries (event_id, endpoint_id, due_at, created_at)
     SELECT id, $1, $5, $5 FROM event RETURNING id`,
    [receiver.id, receiver.accountId, receiver.simulated, type, at, JSON.stringify(SAMPLES[type])],
  );
  return rows[0]!.id;
}

/** The stored `data` of a sample with as many rows of results as its receiver may have. */
export function sampleData(data: string, maxResults: number): string {
  const sample = JSON.parse(data) as Readonly<Partial<Record<'results' | 'changes', readonly object[]>>>;
  const rows = (['results', 'changes'] as const).flatMap((name) => {
    const all = sample[name];
    return all === undefined ? [] : [[name, maxResults > 0 ? all.slice(0, maxResults) : null] as const];
  });
  return rows.length === 0 ? data : JSON.stringify({ ...sample, ...Object.fromEntries(rows) });
}
