import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { Gauges } from '../platform/metrics/gauges.js';
import { DeliveryStore } from './delivery.store.js';

/** What waits to be delivered, told by every process. */
@Injectable()
export class DeliveryGauges {
  constructor(gauges: Gauges, store: DeliveryStore, @Inject(CLOCK) clock: WallClock) {
    gauges.addShared({
      name: 'mailsonde_webhook_oldest_due_seconds',
      help: 'How long the delivery that has waited longest is due, at an endpoint that is enabled and not paused; 0: none is due.',
      read: async () => {
        const now = clock.now();
        const dueAt = await store.oldestDue(new Date(now));
        return [{ value: dueAt === null ? 0 : Math.max(0, now - dueAt.getTime()) / 1000 }];
      },
    });
    gauges.addShared({
      name: 'mailsonde_webhook_queue',
      help: 'Deliveries that are due now, and those that wait for a later attempt or for their endpoint.',
      labels: ['what'],
      read: async () => {
        const { due, later } = await store.queue(clock.date());
        return [
          { labels: { what: 'due' }, value: due },
          { labels: { what: 'later' }, value: later },
        ];
      },
    });
  }
}
