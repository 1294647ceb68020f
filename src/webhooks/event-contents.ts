import { Injectable } from '@nestjs/common';
import type { EventType } from '../platform/outbox/outbox.js';

/** An event as it was written down. */
export interface StoredEvent {
  readonly id: string;
  readonly accountId: string;
  readonly type: string;
  readonly at: Date;
  readonly batchId: number | null;
  /** JSON. */
  readonly data: string;
}

/**
 * Makes the `data` of a body that holds more than was written down; null when what it tells of is gone.
 * @param withResults false: nothing that tells of addresses, since nobody knows yet whose URL it goes to
 */
export type ContentMaker = (event: StoredEvent, withResults: boolean) => Promise<object | null>;

/** Rooms say here what their events carry. It is made when the event is delivered first, and not while it happens. */
@Injectable()
export class EventContents {
  private readonly makers = new Map<string, ContentMaker>();

  register(type: EventType, make: ContentMaker): void {
    this.makers.set(type, make);
  }

  /** Undefined: the event carries what was written down. */
  makerOf(type: string): ContentMaker | undefined {
    return this.makers.get(type);
  }
}
