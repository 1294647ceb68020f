import { expect, it } from 'vitest';
import { textOf } from './reply-text.js';

const page = { rows: [{ id: 'a1', name: 'May' }, { id: 'b2', name: null }], next_cursor: 'c' }; // prettier-ignore

it('a table stands in columns where it fits the terminal, and as lines a row where it does not', () => {
  expect(textOf(page, 8)).toBe('id  name\na1  May\nb2  -\n\nMore: --cursor c\n');
  expect(textOf(page, 7)).toBe('id    a1\nname  May\n\nid    b2\nname  -\n\nMore: --cursor c\n');
});

it('a secret is told with a word that nobody is shown it again, where there is one', () => {
  expect(textOf({ secret: 'whsec_x' })).toBe('secret  whsec_x\n\nThe secret is shown here and never again.\n');
  expect(textOf({ secret: null })).toBe('secret  -\n');
});

it('a list of names is a field of its own line', () => {
  expect(textOf({ permissions: ['verify', 'lists'] })).toBe('permissions  verify, lists\n');
});

it('a table has no bytes that a terminal would obey', () => {
  expect(textOf({ rows: [{ name: '\u001b[31mred' }] })).toBe('name\n\uFFFD[31mred\n');
});
