import { Semaphore } from '../../async/semaphore.js';
import type { Resolver } from '../ports.js';

/**
 * Permits for questions, twice the same number: those of lists, which take turns, and those of callers that wait behind no list.
 * A dead domain holds its permit until its time is over, so a list of them would hold up a single question that only went first.
 */
export function permitsByTurn(concurrency: number): (turn: string | null | undefined) => Semaphore {
  const lists = new Semaphore(concurrency);
  const urgent = new Semaphore(concurrency);
  return (turn) => (turn === null ? urgent : lists);
}

/** Lets at most so many queries of lists be outstanding at the resolver, and as many others; what is more waits and takes turns. */
export function limitQueries(resolver: Resolver, concurrency: number): Resolver {
  const permits = permitsByTurn(concurrency);
  return {
    mx: (domain, turn) => permits(turn).run(() => resolver.mx(domain), turn),
    a: (host, turn) => permits(turn).run(() => resolver.a(host), turn),
    aaaa: (host, turn) => permits(turn).run(() => resolver.aaaa(host), turn),
  };
}
