import { Injectable } from '@nestjs/common';
import type { ROW_EVENTS } from './outbox.js';

/** So many rows of results a body carries at most; an endpoint may ask for fewer. */
export const MAX_INCLUDED_RESULTS = 1_000;

/** An event as the outbox has stored it. */
export interface StoredEvent {
  readonly id: string;
  readonly accountId: string;
  readonly type: string;
  readonly at: Date;
  readonly batchId: number | null;
  /** JSON. */
  readonly data: string;
  readonly isSample: boolean;
}

/**
 * Makes the `data` of a body that holds more than the stored event; null when its subject was deleted.
 * @param maxResults 0: no addresses, because the URL's owner has not confirmed it yet or wants none
 */
export type ContentMaker = (event: StoredEvent, maxResults: number) => Promise<object | null>;

/**
 * A registry in which feature modules put the makers of their events' contents. A content is made at the event's first delivery, not when
 * the event happens.
 */
@Injectable()
export class EventContents {
  private readonly makers = new Map<string, ContentMaker>();

  register(type: (typeof ROW_EVENTS)[number], make: ContentMaker): void {
    this.makers.set(type, make);
  }

  /** Undefined: the event carries its stored data. */
  makerOf(type: string): ContentMaker | undefined {
    return this.makers.get(type);
  }
}
