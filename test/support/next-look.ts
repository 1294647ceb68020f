import { setTimeout as after } from 'node:timers/promises';
import type { Reply } from './call.js';

const PAUSE_MS = 5;

/** Between two looks at work that ends by itself: looks without a pause take the time of whoever does the work. */
export function nextLook(): Promise<void> {
  return after(PAUSE_MS);
}

/** The first body that says so. A refusal says nothing about the work: it ends the wait and the test. */
export async function bodyOnce(
  look: () => Promise<Reply>,
  saysSo: (body: Reply['body']) => boolean,
): Promise<Reply['body']> {
  for (;;) {
    const { status, body } = await look();
    if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
    if (saysSo(body)) return body;
    await nextLook();
  }
}

export const isCompleted = ({ status }: { readonly status: string }): boolean => status === 'completed';
