import { Inject, Injectable } from '@nestjs/common';
import type { Engine } from '../../engine/verification/engine.js';
import { OperatorMeasuresService } from '../../operators/operator-measures.service.js';
import { Gauges } from '../../platform/metrics/gauges.js';
import { ENGINE } from '../engine.provider.js';
import { OperatorLabels } from './operator-labels.js';

/** What the engine of this process knows of mail operators and of port 25. */
@Injectable()
export class EngineGauges {
  constructor(
    gauges: Gauges,
    @Inject(ENGINE) engine: Engine,
    labels: OperatorLabels,
    measures: OperatorMeasuresService,
  ) {
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
    gauges.addShared({
      name: 'mailsonde_operator_accepts_all',
      help: '1: it was believed to refuse unknown names, and has accepted two in a row; 0: it refuses them; missing before it was asked.',
      labels: ['operator'],
      read: async () =>
        (await measures.list()).map(({ operator, acceptsAllSince }) => ({
          labels: { operator },
          value: acceptsAllSince === null ? 0 : 1,
        })),
    });
    gauges.addLocal({
      name: 'mailsonde_port25_open',
      help: '1: connections to mail hosts leave by this source, 0: they do not; missing before a mail host was asked.',
      labels: ['source'],
      read: () =>
        engine
          .sources()
          .filter(({ port25 }) => port25.state !== 'unknown')
          .map(({ name, port25 }) => ({ labels: { source: name }, value: port25.state === 'open' ? 1 : 0 })),
    });
    gauges.addLocal({
      name: 'mailsonde_egress_resting',
      help: '1: this process leaves the source alone, because its address or its proxy is not to be had; 0: it works.',
      labels: ['source'],
      read: () =>
        engine.sources().map(({ name, fault }) => ({ labels: { source: name }, value: fault === null ? 0 : 1 })),
    });
  }
}
