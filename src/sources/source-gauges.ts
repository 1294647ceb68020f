import { Injectable } from '@nestjs/common';
import { Gauges } from '../platform/metrics/gauges.js';
import { SourceWatch } from './watch/source-watch.service.js';

/** What mail hosts and block lists say of our own sending addresses, told by every worker. */
@Injectable()
export class SourceGauges {
  constructor(gauges: Gauges, watch: SourceWatch) {
    gauges.addShared({
      name: 'mailsonde_egress_listed',
      help: '1: the block list has the source; missing while it does not.',
      labels: ['source', 'list'],
      read: async () =>
        [...(await watch.known())].flatMap(([source, { listings }]) =>
          listings.map(({ list }) => ({ labels: { source, list }, value: 1 })),
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
            .map(({ check, state }) => ({ labels: { source, check }, value: state === 'pass' ? 1 : 0 })),
        ),
    });
  }
}
