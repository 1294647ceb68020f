import { Module } from '@nestjs/common';
import { EgressModule } from '../egress/egress.module.js';
import { ENV, type Env } from '../platform/config/env.js';
import { SourceReportsService } from './source-reports.service.js';
import { SourceStates } from './source-states.service.js';
import { SourceWatch, WATCH_DNS } from './watch/source-watch.service.js';
import { createWatchDns } from './watch/watch-dns.js';
import { WatchStore } from './watch/watch.store.js';

/** Whether our own sending addresses may ask, and what is known of them. */
@Module({
  imports: [EgressModule],
  providers: [
    SourceReportsService,
    SourceStates,
    SourceWatch,
    WatchStore,
    { provide: WATCH_DNS, inject: [ENV], useFactory: ({ dnsServers }: Env) => createWatchDns(dnsServers) },
  ],
  exports: [EgressModule, SourceReportsService, SourceStates, SourceWatch, WatchStore],
})
export class SourcesModule {}
