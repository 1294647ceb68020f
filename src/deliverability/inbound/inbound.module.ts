import { Module } from '@nestjs/common';
import { TIMER, type Timer } from '../../platform/clock.js';
import { InboundPresence, InboundRecipients } from './inbound-recipients.js';
import { ReadingThreads } from './reading-threads.js';

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
