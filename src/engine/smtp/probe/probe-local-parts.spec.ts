import { describe, expect, it } from 'vitest';

import { parseAddress } from '../../syntax/address.js';
import { plausibleLocalPart, randomLocalPart } from './control-probes.js';

/** From 0 to just below 1. */
const FRACTIONS = Array.from({ length: 1_001 }, (_, index) => Math.min(index / 1_000, 1 - Number.EPSILON));

describe('a made-up local part', () => {
  it.each([
    ['plausible', plausibleLocalPart, /^[a-z]+\.[a-z]+[1-9]\d{4}$/],
    ['random', randomLocalPart, /^x[a-z0-9]{14}$/],
  ] as const)(
    'a made-up local part that is %s has its shape and parses, whatever chance gives',
    (_which, make, shape) => {
      for (const fraction of FRACTIONS) {
        const localPart = make({ fraction: () => fraction });
        expect(localPart).toMatch(shape);
        expect(parseAddress(`${localPart}@example.com`).ok).toBe(true);
      }
    },
  );

  it('a made-up local part is not made twice', () => {
    const random = { fraction: Math.random };
    expect(new Set(Array.from({ length: 10_000 }, () => randomLocalPart(random))).size).toBe(10_000);
  });
});
