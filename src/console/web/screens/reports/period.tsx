import { type Signal, useSignal } from '@preact/signals';
import { TextField } from '../../parts/field.js';
import { counted, DAY_MS } from '../../parts/figures.js';

const DAYS = 30;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Days (UTC), both included. */
export interface Period {
  readonly from: Signal<string>;
  readonly to: Signal<string>;
}

export function usePeriod(): Period {
  return { from: useSignal(dayOf(Date.now() - (DAYS - 1) * DAY_MS)), to: useSignal(dayOf(Date.now())) };
}

interface PeriodProps {
  readonly of: Period;
  /** Reports of the period that its sums do not count. */
  readonly leftOut: number | undefined;
}

export function PeriodFields({ of: { from, to }, leftOut = 0 }: PeriodProps) {
  return (
    <>
      <div class="row">
        <TextField label="From (UTC)" type="date" value={from} max={to.value} />
        <TextField label="To (UTC)" type="date" value={to} min={from.value} />
      </div>
      {leftOut > 0 && <p>{counted(leftOut, 'older report')} not counted: choose fewer days.</p>}
    </>
  );
}
