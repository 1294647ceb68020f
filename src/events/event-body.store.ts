import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { StoredEvent } from './event-contents.js';

export interface EventWithBody extends StoredEvent {
  /** Null when none with so many results is kept. */
  readonly body: string | null;
  /** How often addresses were erased from its batch; null without one. */
  readonly erasures: number | null;
}

@Injectable()
export class EventBodyStore {
  constructor(private readonly database: DataSource) {}

  /** Null when it was deleted. */
  async find(eventId: string, maxResults: number): Promise<EventWithBody | null> {
    const rows: EventWithBody[] = await this.database.query(
      `SELECT e.id, e.account_id AS "accountId", e.type, e.created_at AS at, e.batch_id AS "batchId", e.data,
              e.sample AS "isSample", b.body, (SELECT erasures FROM batches WHERE id = e.batch_id) AS erasures
         FROM webhook_events e LEFT JOIN webhook_bodies b ON b.event_id = e.id AND b.max_results = $2 WHERE e.id = $1`,
      [eventId, maxResults],
    );
    return rows[0] ?? null;
  }

  /**
   * Keeps a body as long as its batch is kept, unless an address was erased from the batch since the body was begun.
   * @returns what is kept now: of two concurrent bodies the first
   */
  async keep(event: EventWithBody, maxResults: number, body: string): Promise<EventWithBody | null> {
    await this.database.query(
      `INSERT INTO webhook_bodies (event_id, max_results, batch_id, body)
       SELECT $1, $4, id, $3 FROM batches WHERE id = $2 AND erasures = $5 FOR KEY SHARE ON CONFLICT DO NOTHING`,
      [event.id, event.batchId, body, maxResults, event.erasures],
    );
    return this.find(event.id, maxResults);
  }
}
