import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { generateToken, hashToken, kindOfToken } from './token.js';

/* Worked out apart from the code: CRC-32 of "ms_agent_" + 32 zeros, in base62. */
const KNOWN = 'ms_agent_000000000000000000000000000000000I1lGW';

describe('a token', () => {
  it.each(['agent', 'live', 'test', 'admin'] as const)(
    'a token of kind %s says so and has the documented form',
    (kind) => {
      const token = generateToken(kind);
      expect(token).toMatch(new RegExp(`^ms_${kind}_[0-9A-Za-z]{38}$`));
      expect(kindOfToken(token)).toBe(kind);
    },
  );

  it('a token carries the CRC-32 that any other program computes', () => {
    expect(kindOfToken(KNOWN)).toBe('agent');
  });

  it('a token is refused after any single mistyped character', () => {
    const token = generateToken('live');
    for (let i = 0; i < token.length; i++) {
      const mistyped = token.slice(0, i) + (token[i] === 'x' ? 'y' : 'x') + token.slice(i + 1);
      expect(kindOfToken(mistyped), mistyped).toBeNull();
    }
  });

  it.each(['', 'ms_agent_', 'Bearer x', `${KNOWN} `, `${KNOWN}\n`, `x${KNOWN}`, KNOWN.replace('agent', 'root')])(
    'a token is not %j',
    (text) => {
      expect(kindOfToken(text)).toBeNull();
    },
  );

  it('a token never repeats and uses every character about as often as any other', () => {
    const tokens = Array.from({ length: 4000 }, () => generateToken('agent').slice(9, 41));
    expect(new Set(tokens).size).toBe(tokens.length);
    const counts = new Map<string, number>();
    for (const character of tokens.join('')) counts.set(character, (counts.get(character) ?? 0) + 1);
    const expected = (4000 * 32) / 62;
    expect(counts.size).toBe(62);
    // 5.5 standard deviations; with modulo bias the first 8 characters would be 25% (11 deviations) too many.
    for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(5.5 * Math.sqrt(expected));
  });

  it('a token is stored as its SHA-256', () => {
    expect(hashToken(KNOWN)).toEqual(createHash('sha256').update(KNOWN).digest());
  });
});
