import { Module } from '@nestjs/common';
import { CreditsModule } from '../../credits/credits.module.js';
import { BlacklistChecksService } from './blacklist-checks.service.js';
import { BlacklistsController } from './blacklists.controller.js';
import { BlacklistsModule } from './blacklists.module.js';

/** The routes of checks against block lists. */
@Module({
  imports: [BlacklistsModule, CreditsModule],
  controllers: [BlacklistsController],
  providers: [BlacklistChecksService],
})
export class BlacklistsHttpModule {}
