import { Injectable } from '@nestjs/common';
import { EventBodyStore } from './event-body.store.js';
import { EventContents, type StoredEvent } from './event-contents.js';

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
   * @param withResults whether the receiving URL may have results
   */
  async get(eventId: string, withResults: boolean): Promise<string | null> {
    const event = await this.store.find(eventId);
    if (event === null) return null;
    if (withResults && event.body !== null) return event.body;
    const make = this.contents.makerOf(event.type);
    const data = (await make?.(event, withResults)) ?? null;
    const body = bodyOf(event, data === null ? event.data : JSON.stringify(data));
    // A body without addresses need not be kept, because each attempt makes an equal one.
    if (data === null || event.batchId === null || !withResults) return body;
    return this.store.keep(event.id, event.batchId, body);
  }
}

function bodyOf({ type, at }: StoredEvent, data: string): string {
  return `{"type":${JSON.stringify(type)},"timestamp":"${at.toISOString()}","data":${data}}`;
}
