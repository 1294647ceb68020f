import { Module } from '@nestjs/common';
import { OwnSuppressionsService } from './suppressions.service.js';
import { SuppressionSettingsController } from './suppression-settings.controller.js';
import { SuppressionsController } from './suppressions.controller.js';
import { SuppressionsModule } from './suppressions.module.js';

/** The routes of an account's suppression list. */
@Module({
  imports: [SuppressionsModule],
  controllers: [SuppressionsController, SuppressionSettingsController],
  providers: [OwnSuppressionsService],
})
export class SuppressionsHttpModule {}
