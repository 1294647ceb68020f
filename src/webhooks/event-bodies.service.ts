import { Injectable } from '@nestjs/common';
import { EventBodyStore } from './event-body.store.js';
import { EventContents, type StoredEvent } from './event-contents.js';

/**
 * The bodies of events: the same bytes on every attempt, as long as what they tell of is kept. One without results, for a URL that nobody
 * has confirmed, becomes one with results when it is sent again after the confirmation.
 */
@Injectable()
export class EventBodiesService {
  constructor(
    private readonly store: EventBodyStore,
    private readonly contents: EventContents,
  ) {}

  /**
   * Null when the event was deleted.
   * @param withResults whether the URL that it goes to may have results
   */
  async get(eventId: string, withResults: boolean): Promise<string | null> {
    const event = await this.store.find(eventId);
    if (event === null) return null;
    if (withResults && event.body !== null) return event.body;
    const make = this.contents.makerOf(event.type);
    const data = (await make?.(event, withResults)) ?? null;
    const body = bodyOf(event, data === null ? event.data : JSON.stringify(data));
    // Without addresses there is nothing to keep: it comes out the same each time.
    if (data === null || event.batchId === null || !withResults) return body;
    return this.store.keep(event.id, event.batchId, body);
  }
}

function bodyOf({ type, at }: StoredEvent, data: string): string {
  return `{"type":${JSON.stringify(type)},"timestamp":"${at.toISOString()}","data":${data}}`;
}
