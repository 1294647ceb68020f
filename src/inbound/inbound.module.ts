import { Module } from '@nestjs/common';
import { InboundRecipients } from './inbound-recipients.js';

/** Who gets the mail that our receiver takes. */
@Module({ providers: [InboundRecipients], exports: [InboundRecipients] })
export class InboundModule {}
