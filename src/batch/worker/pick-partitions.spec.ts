import { expect, it } from 'vitest';
import { type Partition, pickPartitions } from './pick-partitions.js';

const partition = (number: number, free: number, leased = 0): Partition => ({
  number,
  free,
  leased,
  isByDomain: false,
});
const none = new Map<number, number>();

it('a worker takes a run of whole partitions, and begins anywhere', () => {
  const small = Array.from({ length: 6 }, (_, i) => partition(i, 5));
  expect(pickPartitions(small, none, 0)).toEqual({ partitions: [0, 1, 2], limit: 16 });
  expect(pickPartitions(small, none, 0.99)).toEqual({ partitions: [5, 0, 1], limit: 16 });
});

it('a worker never takes a partition that another one works on', () => {
  expect(pickPartitions([partition(0, 5, 1), partition(1, 0, 3)], none, 0)).toBeNull();
  expect(pickPartitions([partition(0, 5, 2)], new Map([[0, 1]]), 0)).toBeNull();
});

it('a worker takes a large partition by turns with small ones, a few chunks at a time', () => {
  const open = [partition(0, 8), partition(1, 100)];
  expect(pickPartitions(open, none, 0.1)).toEqual({ partitions: [1], limit: 4 });
  expect(pickPartitions(open, none, 0.9)).toEqual({ partitions: [0], limit: 16 });
});

it('a worker goes on with a large partition when its last chunk is in work, before anything else', () => {
  const open = [partition(0, 8), partition(1, 96, 1)];
  expect(pickPartitions(open, new Map([[1, 1]]), 0.9)).toEqual({ partitions: [1], limit: 4 });
  expect(pickPartitions([partition(1, 96, 2)], new Map([[1, 2]]), 0.9)).toBeNull();
});

it('a worker leaves a partition alone that is to be repartitioned by mail operator', () => {
  expect(pickPartitions([{ ...partition(0, 5), isByDomain: true }], none, 0)).toBeNull();
});
