import { expect, it } from 'vitest';
import { readUrl } from '../../src/lib/read-url.js';

/** After fewer calls Node has compiled what it is asked all the time. */
const CALLS = 50_000;

it('a web address with letters beyond ASCII is one however often one was read before', () => {
  const hosts = Array.from({ length: CALLS }, () => readUrl('https://bücher.example/')?.hostname);
  expect(new Set(hosts)).toEqual(new Set(['xn--bcher-kva.example']));
});

it.each(['', 'bücher.example', 'https://', 'https://[', 'http://exa mple/'])('"%s" is no URL', (text) =>
  expect(readUrl(text)).toBeNull(),
);
