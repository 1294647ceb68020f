import type { Charge, UsedWork } from '../usage/used-work.js';

/** Divides a charge: the first so many credits of it, with the work that they paid for, and the rest. */
export function divideCharge({ credits, works }: Charge, firstCredits: number): readonly [first: Charge, rest: Charge] {
  const first = Math.min(credits, firstCredits);
  let left = first;
  const parts: [UsedWork[], UsedWork[]] = [[], []];
  for (const work of works) {
    const taken = Math.min(work.credits, left);
    left -= taken;
    const items = work.credits === 0 ? work.items : Math.round((work.items * taken) / work.credits);
    add(parts[0], { ...work, credits: taken, items });
    add(parts[1], { ...work, credits: work.credits - taken, items: work.items - items });
  }
  return [
    { credits: first, works: parts[0] },
    { credits: credits - first, works: parts[1] },
  ];
}

function add(works: UsedWork[], work: UsedWork): void {
  if (work.credits > 0 || work.items > 0) works.push(work);
}
