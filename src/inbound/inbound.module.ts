import { Module } from '@nestjs/common';
import { TIMER, type Timer } from '../platform/clock.js';
import { InboundPresence } from './inbound-presence.js';
import { InboundRecipients } from './inbound-recipients.js';
import { ReadingThreads } from './threads/reading-threads.js';

/** Who gets the mail that our receiver takes, whether anybody receives, and the threads in which mails are read. */
@Module({
  providers: [
    InboundPresence,
    InboundRecipients,
    { provide: ReadingThreads, inject: [TIMER], useFactory: (timer: Timer) => new ReadingThreads(timer) },
  ],
  exports: [InboundPresence, InboundRecipients, ReadingThreads],
})
export class InboundModule {}
