import { describe, expect, it } from 'vitest';
import { connectionsWithin, maxOpenFiles } from './node-ports.js';

describe('the files that a process may open', () => {
  it('the files that a process may open are as many as the system says, and unknown where it says nothing', () => {
    if (process.platform === 'linux') expect(maxOpenFiles()).toBeGreaterThan(0);
    expect(maxOpenFiles('/nowhere')).toBeNull();
    expect(maxOpenFiles(import.meta.filename)).toBeNull();
  });

  it.each([
    [1_000, 20_000, 1_000],
    [1_000, 1_024, 512],
    [1_000, 1, 1],
    [5_000, null, 5_000],
  ])('the files that a process may open leave %i connections of %s to mail hosts: %i', (wanted, files, connections) => {
    expect(connectionsWithin(wanted, files)).toBe(connections);
  });
});
