import { describe, expect, it } from 'vitest';
import { wordsIn } from './pasted-words.js';

describe('what a person has pasted', () => {
  it.each([
    ['', []],
    ['  \n , ; ', []],
    ['example.com', ['example.com']],
    [
      '198.51.100.25, 2001:db8::1\r\nexample.com;\texample.org',
      ['198.51.100.25', '2001:db8::1', 'example.com', 'example.org'],
    ],
  ])('what a person has pasted is read one after the other: %j', (text, words) => {
    expect(wordsIn(text)).toEqual(words);
  });
});
