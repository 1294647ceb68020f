import { Module } from '@nestjs/common';
import { EventBodiesService, EventBodyStore } from './event-bodies.service.js';
import { EventErasure } from './event-erasure.js';
import { EventContents } from './event-contents.js';

/** The events of the outbox, and the bodies with which webhooks deliver them. */
@Module({
  providers: [EventBodiesService, EventBodyStore, EventContents, EventErasure],
  exports: [EventBodiesService, EventContents, EventErasure],
})
export class EventsModule {}
