import { describe, expect, it } from 'vitest';
import type { Bucket } from './batch-chunks.store.js';
import { chooseBuckets } from './bucket-choice.js';

const bucket = (number: number, free: number, held = 0): Bucket => ({
  bucket: number,
  free,
  held,
  isUngrouped: false,
});
const none = new Map<number, number>();

describe('where a worker goes next', () => {
  it('is a run of whole buckets, begun anywhere', () => {
    const small = Array.from({ length: 6 }, (_, i) => bucket(i, 5));
    expect(chooseBuckets(small, none, 0)).toEqual({ buckets: [0, 1, 2], limit: 16 });
    expect(chooseBuckets(small, none, 0.99)).toEqual({ buckets: [5, 0, 1], limit: 16 });
  });

  it('is never a bucket that another works on', () => {
    expect(chooseBuckets([bucket(0, 5, 1), bucket(1, 0, 3)], none, 0)).toBeNull();
    expect(chooseBuckets([bucket(0, 5, 2)], new Map([[0, 1]]), 0)).toBeNull();
  });

  it('is a large bucket by turns with small ones, a few chunks at a time', () => {
    const open = [bucket(0, 8), bucket(1, 100)];
    expect(chooseBuckets(open, none, 0.1)).toEqual({ buckets: [1], limit: 4 });
    expect(chooseBuckets(open, none, 0.9)).toEqual({ buckets: [0], limit: 16 });
  });

  it('is a large bucket again when its last chunk is in work, before anything else', () => {
    const open = [bucket(0, 8), bucket(1, 96, 1)];
    expect(chooseBuckets(open, new Map([[1, 1]]), 0.9)).toEqual({ buckets: [1], limit: 4 });
    expect(chooseBuckets([bucket(1, 96, 2)], new Map([[1, 2]]), 0.9)).toBeNull();
  });
});
