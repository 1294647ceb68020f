import { Semaphore } from '../../async/semaphore.js';
import type { Resolver } from '../ports.js';

/** Lets at most so many queries be outstanding at the resolver; the others wait and take turns. */
export function limitQueries(resolver: Resolver, concurrency: number): Resolver {
  const permits = new Semaphore(concurrency);
  return {
    mx: (domain, turn) => permits.run(() => resolver.mx(domain), turn),
    a: (host, turn) => permits.run(() => resolver.a(host), turn),
    aaaa: (host, turn) => permits.run(() => resolver.aaaa(host), turn),
  };
}
