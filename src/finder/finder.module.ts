import { Module } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module.js';
import { FinderController } from './finder.controller.js';
import { FinderSearchModule } from './finder-search.module.js';
import { FinderService } from './finder.service.js';

@Module({
  imports: [CreditsModule, FinderSearchModule],
  controllers: [FinderController],
  providers: [FinderService],
  exports: [FinderService],
})
export class FinderModule {}
