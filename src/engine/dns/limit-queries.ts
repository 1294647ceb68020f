import { Semaphore } from '../../async/semaphore.js';

/** How many questions may be outstanding at the resolver. */
interface QueryLimits {
  readonly ofLists: number;
  readonly ofSingles: number;
}

/**
 * Permits for questions: those of lists, which take turns, and those of callers that wait behind no list.
 * A dead domain holds its permit until its time is over, so a list of them would hold up a single question that only went first.
 */
export function permitsByTurn({ ofLists, ofSingles }: QueryLimits): (turn: string | null | undefined) => Semaphore {
  const lists = new Semaphore(ofLists);
  const singles = new Semaphore(ofSingles);
  return (turn) => (turn === null ? singles : lists);
}
