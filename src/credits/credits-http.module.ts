import { Module } from '@nestjs/common';
import { CreditsController } from './credits.controller.js';
import { CreditsModule } from './credits.module.js';
import { UsageController } from './usage/usage.controller.js';

/** The routes by which callers see their credits. */
@Module({
  imports: [CreditsModule],
  controllers: [CreditsController, UsageController],
  exports: [CreditsModule],
})
export class CreditsHttpModule {}
