import type { Resolver } from '../ports.js';

/** Lets at most `atOnce` questions be outstanding at the resolver; the others wait their turn, first come first served. */
export function limitQuestions(resolver: Resolver, atOnce: number): Resolver {
  const waiting = new Set<() => void>();
  let outstanding = 0;

  async function ask<T>(question: () => Promise<T>): Promise<T> {
    // Whoever is woken takes over the place of the one that finished, so the count stays as it is.
    if (outstanding >= atOnce) await new Promise<void>((wake) => waiting.add(wake));
    else outstanding += 1;
    try {
      return await question();
    } finally {
      if (!wakeNext()) outstanding -= 1;
    }
  }

  function wakeNext(): boolean {
    for (const wake of waiting) {
      waiting.delete(wake);
      wake();
      return true;
    }
    return false;
  }

  return {
    mx: (domain) => ask(() => resolver.mx(domain)),
    a: (host) => ask(() => resolver.a(host)),
    aaaa: (host) => ask(() => resolver.aaaa(host)),
  };
}
