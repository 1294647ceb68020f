import { Module } from '@nestjs/common';
import { DeliveryAdministrationService } from './delivery-administration.service.js';
import { DeliveryStore } from './delivery.store.js';

@Module({
  providers: [DeliveryAdministrationService, DeliveryStore],
  exports: [DeliveryAdministrationService],
})
export class DeliveryAdministrationModule {}
