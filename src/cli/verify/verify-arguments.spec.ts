import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseVerifyArguments } from './verify-arguments.js';

beforeEach(() => void vi.spyOn(process.stderr, 'write').mockReturnValue(true));
afterEach(() => void vi.restoreAllMocks());

describe('the arguments of npm run verify', () => {
  it.each([
    [['a@b.example', 'c@d.example'], { kind: 'given', addresses: ['a@b.example', 'c@d.example'] }],
    [['-'], { kind: 'stdin' }],
    [['--file', 'list.txt'], { kind: 'file', path: 'list.txt' }],
    [['--', '-a@b.example'], { kind: 'given', addresses: ['-a@b.example'] }],
  ])('%j say where the addresses are', (argv, source) => {
    expect(parseVerifyArguments(argv)).toEqual({
      source,
      output: null,
      emailColumn: null,
      hasHeader: null,
      sheet: null,
      timeoutMs: 15_000,
      server: null,
    });
  });

  it('the arguments of npm run verify say in which form and how long', () => {
    const parsed = parseVerifyArguments(['--json', '--timeout', '60000', '--no-color', 'a@b.example']);
    expect(parsed).toMatchObject({ output: 'ndjson', timeoutMs: 60_000 });
  });

  it.each([
    ['no address', [], 'no address given'],
    ['an unknown option', ['--jsn', 'a@b.example'], "unknown option '--jsn'"],
    ['two sources', ['--file', 'x', 'a@b.example'], 'exclude each other'],
    ['standard input among addresses', ['-', 'a@b.example'], '"-" stands alone'],
    ['too short a time', ['--timeout', '999', 'a@b.example'], '1000 to 60000'],
    ['a time that is none', ['--timeout', 'soon', 'a@b.example'], '1000 to 60000'],
  ])('the arguments of npm run verify are refused with %s', (_, argv, words) => {
    expect(() => parseVerifyArguments(argv)).toThrow(words);
  });
});
