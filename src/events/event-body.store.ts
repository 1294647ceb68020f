import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { StoredEvent } from './event-contents.js';

@Injectable()
export class EventBodyStore {
  constructor(private readonly database: DataSource) {}

  /** Null when it was deleted; `body` null when none with so many results is kept. */
  async find(eventId: string, maxResults: number): Promise<(StoredEvent & { readonly body: string | null }) | null> {
    const rows: (StoredEvent & { body: string | null })[] = await this.database.query(
      `SELECT e.id, e.account_id AS "accountId", e.type, e.created_at AS at, e.batch_id AS "batchId", e.data,
              e.sample AS "isSample", b.body
         FROM webhook_events e LEFT JOIN webhook_bodies b ON b.event_id = e.id AND b.max_results = $2 WHERE e.id = $1`,
      [eventId, maxResults],
    );
    return rows[0] ?? null;
  }

  /** Keeps a body as long as its batch is kept. @returns the kept body: of two concurrent ones the first */
  async keep(eventId: string, maxResults: number, batchId: number, body: string): Promise<string> {
    await this.database.query(
      `INSERT INTO webhook_bodies (event_id, max_results, batch_id, body)
       SELECT $1, $4, id, $3 FROM batches WHERE id = $2 FOR KEY SHARE ON CONFLICT DO NOTHING`,
      [eventId, batchId, body, maxResults],
    );
    return (await this.find(eventId, maxResults))?.body ?? body;
  }
}
