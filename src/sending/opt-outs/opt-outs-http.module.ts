import { Module } from '@nestjs/common';
import { EgressModule } from '../egress/egress.module.js';
import { MailModule } from '../../platform/outbound/mail.module.js';
import { AboutController } from './about.controller.js';
import { OptOutLinksService } from './opt-out-links.service.js';
import { OptOutsModule } from './opt-outs.module.js';

/** The page for postmasters, and the links by which they opt out. */
@Module({
  imports: [EgressModule, MailModule, OptOutsModule],
  controllers: [AboutController],
  providers: [OptOutLinksService],
})
export class OptOutsHttpModule {}
