import { Injectable } from '@nestjs/common';
import { EventBodyStore } from './event-body.store.js';
import { EventContents, type StoredEvent } from './event-contents.js';

/** The bodies of events: the same bytes on every attempt, as long as what they tell of is kept. */
@Injectable()
export class EventBodiesService {
  constructor(
    private readonly store: EventBodyStore,
    private readonly contents: EventContents,
  ) {}

  /** Null when the event was deleted. */
  async get(eventId: string): Promise<string | null> {
    const event = await this.store.find(eventId);
    if (event === null || event.body !== null) return event?.body ?? null;
    const make = this.contents.makerOf(event.type);
    const data = (await make?.(event)) ?? null;
    // Without addresses there is nothing to keep: it comes out the same each time.
    if (data === null || event.batchId === null) return bodyOf(event, event.data);
    return this.store.keep(event.id, event.batchId, bodyOf(event, JSON.stringify(data)));
  }
}

function bodyOf({ type, at }: StoredEvent, data: string): string {
  return `{"type":${JSON.stringify(type)},"timestamp":"${at.toISOString()}","data":${data}}`;
}
