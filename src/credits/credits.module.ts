import { Module } from '@nestjs/common';
import { CreditsController } from './credits.controller.js';
import { CreditsService } from './credits.service.js';
import { DailyCreditsStore } from './daily-credits.store.js';
import { ReservationSweepService } from './reservation-sweep.service.js';

@Module({
  controllers: [CreditsController],
  providers: [CreditsService, DailyCreditsStore, ReservationSweepService],
  exports: [CreditsService],
})
export class CreditsModule {}
