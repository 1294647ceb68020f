import { expect, it } from 'vitest';
import { isFinished, transition } from './batch.lifecycle.js';

it('a batch goes on, and never back', () => {
  expect(transition('receiving', 'receive')).toBe('queued');
  expect(transition('queued', 'start')).toBe('processing');
  expect(transition('processing', 'complete')).toBe('completed');
  expect(transition('processing', 'start')).toBeNull();
  expect(transition('receiving', 'complete')).toBeNull();
});

it('only what a fault of ours has ended is begun again', () => {
  expect(transition('failed', 'retry')).toBe('queued');
  for (const state of ['queued', 'processing', 'completed', 'cancelled'] as const)
    expect(transition(state, 'retry')).toBeNull();
});

it.each(['completed', 'failed', 'cancelled'] as const)('nothing happens to a batch that is %s', (state) => {
  expect(isFinished(state)).toBe(true);
  for (const event of ['receive', 'start', 'complete', 'fail', 'cancel'] as const)
    expect(transition(state, event)).toBeNull();
});
