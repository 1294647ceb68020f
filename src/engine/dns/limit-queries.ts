import { Semaphore } from '../../async/semaphore.js';
import type { Resolver } from '../ports.js';

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

/** Lets at most so many queries of lists be outstanding at the resolver, and so many others; what is more waits and takes turns. */
export function limitQueries(resolver: Resolver, limits: QueryLimits): Resolver {
  const permits = permitsByTurn(limits);
  return {
    mx: (domain, turn) => permits(turn).run(() => resolver.mx(domain), turn),
    a: (host, turn) => permits(turn).run(() => resolver.a(host), turn),
    aaaa: (host, turn) => permits(turn).run(() => resolver.aaaa(host), turn),
  };
}
