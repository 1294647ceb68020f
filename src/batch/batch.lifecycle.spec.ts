import { describe, expect, it } from 'vitest';
import { type Batch, estimatedEnd, isFinished, transition } from './batch.lifecycle.js';

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

describe('the estimated end', () => {
  const at = (seconds: number) => new Date(seconds * 1000);
  const batch = (valid: number, laterTries: Batch['laterTries'] = null) =>
    ({
      startedAt: at(0),
      finishedAt: null,
      totalRows: 100,
      counts: { valid, invalid: 0, risky: 0, unknown: 0 },
      laterTries,
    }) as unknown as Batch;

  it('is told by the pace so far, and not before the first answer', () => {
    expect(estimatedEnd(batch(0), 10_000)).toBeNull();
    expect(estimatedEnd(batch(20), 10_000)).toEqual(at(50));
  });

  it('is not before soft answers are tried again', () => {
    expect(estimatedEnd(batch(90, { addresses: 10, until: at(150) }), 10_000)).toEqual(at(150));
    expect(estimatedEnd(batch(10, { addresses: 10, until: at(15) }), 10_000)).toEqual(at(50));
  });
});
