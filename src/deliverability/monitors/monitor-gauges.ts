import { Inject, Injectable } from '@nestjs/common';
import { ListSuspicionsService } from '../blacklists/list-suspicions.service.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { Gauges, secondsSince } from '../../platform/metrics/gauges.js';
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
      read: async () => secondsSince((await overview.read()).oldestDue, clock.now()),
    });
    gauges.addShared({
      name: 'mailsonde_monitors',
      help: 'Monitors by their state; those of test keys are left out.',
      labels: ['state'],
      read: async () => {
        const { byState } = await overview.read();
        return MONITOR_STATES.map((state) => [byState[state] ?? 0, state]);
      },
    });
    gauges.addShared({
      name: 'mailsonde_blacklist_suspect',
      help: '1: so many watched targets turned listed on the block list at once that nobody is told what it says; missing while they have not.',
      labels: ['list'],
      read: async () => [...(await suspicions.lasting()).keys()].map((list) => [1, list]),
    });
  }
}
