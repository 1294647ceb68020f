import { count } from '../../parts/figures.js';
import type { Column } from '../../parts/paged-table.js';
import { Time } from '../../parts/time.js';
import type { Admin } from '../../shell/api.js';

type Circuit = Admin['schemas']['OperatorCircuitBody'];

/** What is told of a source of ours that an operator refuses. */
export function circuitsOf<Row extends Circuit>(): readonly Column<Row>[] {
  return [
    { name: 'From', cell: ({ source }) => <span class="mono">{source}</span> },
    { name: 'Address', cell: ({ address }) => <span class="mono">{address}</span> },
    { name: 'Refusals', cell: ({ refusals }) => count(refusals), isNumber: true },
    { name: 'Last one', cell: ({ last_refusal: said }) => <span class="mono">{said}</span> },
    { name: 'Left alone until', cell: ({ open_until: until }) => <Time at={until} /> },
    { name: 'Processes', cell: ({ processes }) => count(processes), isNumber: true },
  ];
}
