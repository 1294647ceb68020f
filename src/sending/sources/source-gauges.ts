import { Injectable } from '@nestjs/common';
import { SourceConditionsService } from '../egress/source-conditions.service.js';
import { Gauges } from '../../platform/metrics/gauges.js';
import { SourceWatch } from './watch/source-watch.service.js';

/** What mail hosts and block lists say of our own sending addresses, told by every worker. */
@Injectable()
export class SourceGauges {
  constructor(gauges: Gauges, watch: SourceWatch, conditions: SourceConditionsService) {
    gauges.addShared({
      name: 'mailsonde_egress_listed',
      help: '1: the block list has the source; missing while it does not.',
      labels: ['source', 'list'],
      read: async () =>
        [...(await watch.known())].flatMap(([source, { listings }]) =>
          listings.map(({ list }) => [1, source, list] as const),
        ),
    });
    gauges.addShared({
      name: 'mailsonde_egress_identity_ok',
      help: '1: the source passed the check at the last look, 0: it failed; missing where that is not known.',
      labels: ['source', 'check'],
      read: async () =>
        [...(await watch.known())].flatMap(([source, { checks }]) =>
          checks
            .filter(({ check, state }) => check !== 'block_lists' && state !== 'unknown')
            .map(({ check, state }) => [state === 'pass' ? 1 : 0, source, check] as const),
        ),
    });
    gauges.addShared({
      name: 'mailsonde_egress_taken_out',
      help: '1: an administrator has drained or paused the source; missing while nobody has.',
      labels: ['source', 'condition'],
      read: async () => (await conditions.list()).map(({ source, condition }) => [1, source, condition]),
    });
  }
}
