import { Module } from '@nestjs/common';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { ErasuresController } from './erasures/erasures.controller.js';
import { ErasuresService } from './erasures/erasures.service.js';
import { PrivacyModule } from './privacy.module.js';

/** The routes by which addresses are forgotten. */
@Module({
  imports: [PrivacyModule, SuppressionsModule],
  controllers: [ErasuresController],
  providers: [ErasuresService],
})
export class PrivacyHttpModule {}
