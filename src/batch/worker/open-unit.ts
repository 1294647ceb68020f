import type { LeasedChunk } from './leased-chunk.js';
import type { LeasedUnit } from './chunk-leases.js';
import { UnitProgress } from './unit-progress.js';

/** A unit of work from its lease until its results are stored, its chunks are repartitioned, or the worker gives it up. */
export interface OpenUnit {
  readonly unit: LeasedUnit;
  readonly controller: AbortController;
  /** Chunks whose results are not stored yet. */
  readonly left: Set<LeasedChunk>;
  readonly progress: UnitProgress;
  /** Chunks that it has given back, and the tables do not know yet. */
  readonly givenBack: Set<LeasedChunk>;
  /** There was no room to wait: when others may look at its chunks. */
  putOffUntil: Date | null;
}

export function openUnit(unit: LeasedUnit, now: number): OpenUnit {
  return {
    unit,
    controller: new AbortController(),
    left: new Set(unit.chunks),
    progress: new UnitProgress(unit.chunks, now),
    givenBack: new Set(),
    putOffUntil: null,
  };
}

/**
 * Takes out what the unit has lost. Its hold is held then until the caller looks at the lease again, so that what only waited to be asked is
 * taken back, and begun anew where it is still its own.
 * @param held numbers of the chunks that a renewal has found to be its own, null: none of it is wanted here any more
 */
export function keepHeld({ unit, controller, left, progress }: OpenUnit, held: ReadonlySet<number> | null): void {
  if (held === null) return controller.abort();
  // The chunks of a unit that is repartitioned are not known here.
  if (unit.isByDomain) return;
  const lost = [...left].filter(({ number }) => !held.has(number));
  for (const chunk of lost) {
    progress.lose(chunk);
    left.delete(chunk);
  }
  if (lost.length > 0) unit.lease.hold.set(true);
  if (left.size === 0) controller.abort();
}

export function itemsOf(units: Iterable<OpenUnit>): number {
  let items = 0;
  for (const { progress } of units) items += progress.open;
  return items;
}
