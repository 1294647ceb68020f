import { Module } from '@nestjs/common';
import { SuppressionSettingsController, SuppressionsController } from './suppressions.controller.js';
import { SuppressionsModule } from './suppressions.module.js';

/** The routes of an account's suppression list. */
@Module({
  imports: [SuppressionsModule],
  controllers: [SuppressionsController, SuppressionSettingsController],
})
export class SuppressionsHttpModule {}
