import { setTimeout as after } from 'node:timers/promises';
import type { Reply } from './call.js';

const PAUSE_MS = 5;
const GROWTH = 1.5;
const LONGEST_PAUSE_MS = 100;

/** Between two looks at work that ends by itself: looks without a pause take the time of whoever does the work. */
export function nextLook(): Promise<void> {
  return after(PAUSE_MS);
}

/** Looks until it holds. Each pause is longer than the last one: what ends soon is seen soon, and what takes long is not slowed down by looks. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let pause = PAUSE_MS; !(await holds()); pause = Math.min(pause * GROWTH, LONGEST_PAUSE_MS)) await after(pause);
}

/** The first body that says so. A refusal says nothing about the work: it ends the wait and the test. */
export async function bodyOnce(
  look: () => Promise<Reply>,
  saysSo: (body: Reply['body']) => boolean,
): Promise<Reply['body']> {
  let last: Reply['body'];
  await until(async () => {
    const { status, body } = await look();
    if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
    last = body;
    return saysSo(body);
  });
  return last;
}

export const isCompleted = ({ status }: { readonly status: string }): boolean => status === 'completed';
