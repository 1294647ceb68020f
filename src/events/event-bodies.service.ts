import { Injectable } from '@nestjs/common';
import { EventBodyStore, type EventWithBody } from './event-body.store.js';
import { sampleData } from './event-samples.js';
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
   * @param maxResults so many rows of results the receiving URL may have
   */
  async get(eventId: string, maxResults: number): Promise<string | null> {
    let event = await this.store.find(eventId, maxResults);
    while (event !== null) {
      const { body, isKept } = await this.bodyFor(event, maxResults);
      if (!isKept) return body;
      const kept = await this.store.keep(event, maxResults, body);
      const isErased =
        kept !== null && kept.body === null && kept.erasures !== null && kept.erasures !== event.erasures;
      if (!isErased) return kept?.body ?? body;
      // An address was erased from the batch meanwhile, and this body may hold it.
      event = kept;
    }
    return null;
  }

  private async bodyFor(event: EventWithBody, maxResults: number): Promise<{ body: string; isKept: boolean }> {
    const asIs = (body: string) => ({ body, isKept: false });
    if (event.isSample) return asIs(bodyOf(event, sampleData(event.data, maxResults)));
    if (maxResults > 0 && event.body !== null) return asIs(event.body);
    const make = this.contents.makerOf(event.type);
    const data = (await make?.(event, maxResults)) ?? null;
    const body = bodyOf(event, data === null ? event.data : JSON.stringify(data));
    // A body without addresses need not be kept, because each attempt makes an equal one.
    return { body, isKept: data !== null && event.batchId !== null && maxResults > 0 };
  }
}

function bodyOf({ type, at, isSample }: StoredEvent, data: string): string {
  const mark = isSample ? ',"sample":true' : '';
  return `{"type":${JSON.stringify(type)},"timestamp":"${at.toISOString()}"${mark},"data":${data}}`;
}
