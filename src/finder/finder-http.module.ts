import { Module } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module.js';
import { FinderController } from './finder.controller.js';
import { FinderModule } from './finder.module.js';
import { FinderService } from './finder.service.js';

/** The routes of single searches. */
@Module({
  imports: [CreditsModule, FinderModule],
  controllers: [FinderController],
  providers: [FinderService],
})
export class FinderHttpModule {}
