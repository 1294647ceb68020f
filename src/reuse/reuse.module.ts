import { Module } from '@nestjs/common';
import { RecentVerdicts } from './recent-verdicts.js';
import { ReuseService } from './reuse.service.js';
import { ReuseStore } from './reuse.store.js';

/** Verdicts that an account may be given again. */
@Module({
  providers: [RecentVerdicts, ReuseService, ReuseStore],
  exports: [RecentVerdicts, ReuseService, ReuseStore],
})
export class ReuseModule {}
