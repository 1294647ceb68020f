import { describe, expect, it } from 'vitest';
import { accountsWithTheirShare, MAX_UNITS } from './unit-progress.js';

const unitsOf = (account: string, count: number) => Array<string>(count).fill(account);

describe('the share of units', () => {
  it('the share of units is all that an account asks for while half of them are free', () => {
    expect(accountsWithTheirShare(unitsOf('one', MAX_UNITS / 2 - 1))).toEqual([]);
  });

  it('the share of units is a quarter of what is left then', () => {
    expect(accountsWithTheirShare([...unitsOf('one', 376), ...unitsOf('two', 124)])).toEqual(['one']);
    expect(accountsWithTheirShare([...unitsOf('one', 375), ...unitsOf('two', 125)])).toEqual(['one', 'two']);
  });

  it('the share of units leaves room for an account without work after many that take whatever they get', () => {
    let open: string[] = [];
    for (let account = 0; account < 20; account += 1)
      while (!accountsWithTheirShare(open).includes(String(account))) open = [...open, String(account)];
    expect(open.length).toBeLessThan(MAX_UNITS);
    expect(accountsWithTheirShare(open)).not.toContain('another');
  });

  it('the share of units is at least one unit', () => {
    expect(accountsWithTheirShare(unitsOf('one', MAX_UNITS - 1))).toEqual(['one']);
    expect(accountsWithTheirShare([...unitsOf('one', MAX_UNITS - 2), 'two'])).toEqual(['one', 'two']);
  });
});
