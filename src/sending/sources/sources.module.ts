import { Module } from '@nestjs/common';
import { EgressModule } from '../egress/egress.module.js';
import { ENV } from '../../platform/config/env.js';
import { RESOLVER_JUDGE } from '../../resolver/resolver.module.js';
import { SourceRefusalsService } from './source-refusals.service.js';
import { SourceReportsService } from './watch/source-reports.service.js';
import { SourceStates } from './source-states.service.js';
import { createOutside } from './watch/outside.js';
import { OUTSIDE, SourceWatch } from './watch/source-watch.service.js';
import { WatchStore } from './watch/watch.store.js';

/** Whether our own sending addresses may ask, and what is known of them. */
@Module({
  imports: [EgressModule],
  providers: [
    SourceRefusalsService,
    SourceReportsService,
    SourceStates,
    SourceWatch,
    WatchStore,
    { provide: OUTSIDE, inject: [ENV, RESOLVER_JUDGE], useFactory: createOutside },
  ],
  exports: [EgressModule, SourceRefusalsService, SourceReportsService, SourceStates, SourceWatch, WatchStore],
})
export class SourcesModule {}
