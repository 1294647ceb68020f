import { Semaphore } from '../../async/semaphore.js';
import type { Resolver } from '../ports.js';

/** Lets at most so many queries be outstanding at the resolver; the others wait, first come, first served. */
export function limitQueries(resolver: Resolver, concurrency: number): Resolver {
  const permits = new Semaphore(concurrency);
  return {
    mx: (domain) => permits.run(() => resolver.mx(domain)),
    a: (host) => permits.run(() => resolver.a(host)),
    aaaa: (host) => permits.run(() => resolver.aaaa(host)),
  };
}
