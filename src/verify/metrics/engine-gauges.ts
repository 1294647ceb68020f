import { Inject, Injectable } from '@nestjs/common';
import type { Engine } from '../../engine/index.js';
import { Gauges } from '../../platform/metrics/gauges.js';
import { ENGINE } from '../engine.provider.js';
import { OperatorLabels } from './operator-labels.js';

/** What the engine of this process knows of mail operators and of port 25. */
@Injectable()
export class EngineGauges {
  constructor(gauges: Gauges, @Inject(ENGINE) engine: Engine, labels: OperatorLabels) {
    gauges.addLocal({
      name: 'mailsonde_operator_breaker_open',
      help: 'Mail operators that refuse this process at a source, and that it leaves alone for a while; those without a row together.',
      labels: ['operator', 'source'],
      read: () => {
        const open = new Map<string, { operator: string; source: string; value: number }>();
        for (const circuit of engine.openCircuits()) {
          const [operator, source] = [labels.of(circuit.operator), circuit.source];
          const known = open.get(`${operator} ${source}`);
          open.set(`${operator} ${source}`, { operator, source, value: (known?.value ?? 0) + 1 });
        }
        return [...open.values()].map(({ operator, source, value }) => ({ labels: { operator, source }, value }));
      },
    });
    gauges.addLocal({
      name: 'mailsonde_port25_open',
      help: '1: connections to mail hosts leave this machine, 0: they do not; missing before a mail host was asked.',
      read: () => {
        const { state } = engine.port25();
        return state === 'unknown' ? [] : [{ value: state === 'open' ? 1 : 0 }];
      },
    });
  }
}
