import { Module } from '@nestjs/common';
import { InboundPresence } from './inbound-presence.js';
import { InboundRecipients } from './inbound-recipients.js';

/** Who gets the mail that our receiver takes, and whether anybody receives. */
@Module({ providers: [InboundPresence, InboundRecipients], exports: [InboundPresence, InboundRecipients] })
export class InboundModule {}
