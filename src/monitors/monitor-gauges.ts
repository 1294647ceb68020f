import { Inject, Injectable } from '@nestjs/common';
import { ListSuspicionsService } from '../blacklists/list-suspicions.service.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { Gauges } from '../platform/metrics/gauges.js';
import { MONITOR_STATES } from './findings/monitor.js';
import { MonitorOverviewService } from './monitor-overview.service.js';

/** How late monitors are, how they are, and which block lists are under suspicion; told by every process. */
@Injectable()
export class MonitorGauges {
  constructor(
    gauges: Gauges,
    overview: MonitorOverviewService,
    suspicions: ListSuspicionsService,
    @Inject(CLOCK) clock: WallClock,
  ) {
    gauges.addShared({
      name: 'mailsonde_monitors_oldest_due_seconds',
      help: 'How long the monitor that has waited longest is due; 0: none is due. Those of test keys are left out.',
      read: async () => {
        const { oldestDue } = await overview.read();
        return [{ value: oldestDue === null ? 0 : Math.max(0, clock.now() - oldestDue.getTime()) / 1000 }];
      },
    });
    gauges.addShared({
      name: 'mailsonde_monitors',
      help: 'Monitors by their state; those of test keys are left out.',
      labels: ['state'],
      read: async () => {
        const { byState } = await overview.read();
        return MONITOR_STATES.map((state) => ({ labels: { state }, value: byState[state] ?? 0 }));
      },
    });
    gauges.addShared({
      name: 'mailsonde_blacklist_suspect',
      help: '1: so many watched targets turned listed on the block list at once that nobody is told what it says; missing while they have not.',
      labels: ['list'],
      read: async () => [...(await suspicions.lasting()).keys()].map((list) => ({ labels: { list }, value: 1 })),
    });
  }
}
