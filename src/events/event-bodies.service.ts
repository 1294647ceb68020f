import { Injectable } from '@nestjs/common';
import { sampleData } from './event-samples.js';
import { EventContents, type StoredEvent } from './event-contents.js';
import { DataSource } from 'typeorm';

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

export interface EventBody {
  readonly text: string;
  /** Addresses may stand in it, so nobody stores it but the table from which they are erased. */
  readonly isKept: boolean;
}

/**
 * The bodies of events: equal bytes on every attempt, as long as their batch is kept. A body without results, for an unconfirmed
 * URL, gets results when it is sent again after the confirmation.
 */
@Injectable()
export class EventBodiesService {
  constructor(
    private readonly store: EventBodyStore,
    private readonly contents: EventContents,
  ) {}

  /**
   * Null when the event was deleted.
   * @param maxResults so many rows of results the receiving URL may have
   */
  async get(eventId: string, maxResults: number): Promise<EventBody | null> {
    let event = await this.store.find(eventId, maxResults);
    while (event !== null) {
      const body = await this.bodyFor(event, maxResults);
      if (!body.isKept || body.text === event.body) return body;
      const kept = await this.store.keep(event, maxResults, body.text);
      const isErased =
        kept !== null && kept.body === null && kept.erasures !== null && kept.erasures !== event.erasures;
      if (!isErased) return { text: kept?.body ?? body.text, isKept: true };
      // An address was erased from the batch meanwhile, and this body may hold it.
      event = kept;
    }
    return null;
  }

  private async bodyFor(event: EventWithBody, maxResults: number): Promise<EventBody> {
    if (event.isSample) return { text: bodyOf(event, sampleData(event.data, maxResults)), isKept: false };
    if (maxResults > 0 && event.body !== null) return { text: event.body, isKept: true };
    const make = this.contents.makerOf(event.type);
    const data = (await make?.(event, maxResults)) ?? null;
    const text = bodyOf(event, data === null ? event.data : JSON.stringify(data));
    // A body without addresses need not be kept, because each attempt makes an equal one.
    return { text, isKept: data !== null && event.batchId !== null && maxResults > 0 };
  }
}

function bodyOf({ type, at, isSample }: StoredEvent, data: string): string {
  const mark = isSample ? ',"sample":true' : '';
  return `{"type":${JSON.stringify(type)},"timestamp":"${at.toISOString()}"${mark},"data":${data}}`;
}
