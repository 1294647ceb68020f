import type { Resolver } from '../ports.js';

/** Lets at most `atOnce` questions be outstanding at the resolver; the others wait their turn, first come first served. */
export function limitQuestions(resolver: Resolver, atOnce: number): Resolver {
  // A queue of two arrays: who comes is pushed on one, whose turn it is is popped off the other.
  let arrivals: (() => void)[] = [];
  let turns: (() => void)[] = [];
  let outstanding = 0;

  async function ask<T>(question: () => Promise<T>): Promise<T> {
    // Whoever is woken takes over the place of the one that finished, so the count stays as it is.
    if (outstanding >= atOnce) await new Promise<void>((wake) => arrivals.push(wake));
    else outstanding += 1;
    try {
      return await question();
    } finally {
      if (!wakeNext()) outstanding -= 1;
    }
  }

  function wakeNext(): boolean {
    if (turns.length === 0) [turns, arrivals] = [arrivals.reverse(), turns];
    const wake = turns.pop();
    wake?.();
    return wake !== undefined;
  }

  return {
    mx: (domain) => ask(() => resolver.mx(domain)),
    a: (host) => ask(() => resolver.a(host)),
    aaaa: (host) => ask(() => resolver.aaaa(host)),
  };
}
