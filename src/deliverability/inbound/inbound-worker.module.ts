import { Module } from '@nestjs/common';
import { InboundServer } from './inbound-server.js';
import { InboundModule } from './inbound.module.js';
import { MailIntake } from './mail-intake.js';

/** Our receiver, in every worker. */
@Module({ imports: [InboundModule], providers: [InboundServer, MailIntake], exports: [InboundServer] })
export class InboundWorkerModule {}
