import { expect, it } from 'vitest';
import { settingsOf } from '../intake/body.js';
import type { Rows } from './sent-body.js';
import { readCsvOfPeople, readJsonOfPeople, readNdjsonOfPeople } from './people-reader.js';

const LINES_OF_A_PIECE = 1_000;
const settings = () => settingsOf({});
const line = '{"full_name":"Jane Doe","domain":"example.com"}\n';

it.each([
  ['CSV', 'name,domain\n', 'Jane Doe,example.com\n', readCsvOfPeople],
  ['NDJSON', '', line, readNdjsonOfPeople],
])('people in %s are read no further than somebody takes them', async (_, header, person, read) => {
  let pieces = 0;
  async function* text() {
    if (header !== '') yield header;
    for (; pieces < 50; pieces++) yield person.repeat(LINES_OF_A_PIECE);
  }
  await take(read(text(), settings()), 2 * LINES_OF_A_PIECE);
  expect(pieces).toBeLessThan(10);
});

it('people in JSON come in pieces, so that nobody makes rows of those behind the limit', async () => {
  async function* body() {
    yield Buffer.from(`{"people":[${line.repeat(200).replaceAll('\n', ',')}0]}`);
  }
  expect(await take(readJsonOfPeople(body(), settings(), true), 200)).toBe(200);
});

it.each([
  ['lists', '[],'.repeat(100_001), '0'],
  ['objects', '{"a":0},'.repeat(100_001), '0'],
  ['members', '0,'.repeat(300_001), '0'],
])('JSON of more %s than ten thousand people need is refused before it is parsed', async (_, many, last) => {
  async function* body() {
    // Not even whole: whoever parsed it would say so.
    for (const text of ['{"people":[', many, last]) yield Buffer.from(text);
  }
  await expect(take(readJsonOfPeople(body(), settings(), true), 1)).rejects.toMatchObject({
    code: 'invalid_input',
    details: { fields: [{ field: 'people', error: 'people has far more members than 10,000 people need' }] },
  });
});

it('commas, brackets and escaped quotes within the texts of people are no members', async () => {
  const name = JSON.stringify(`Jane "${',[{'.repeat(200_000)}`);
  async function* body() {
    const text = `{"x":${name},"people":[{"full_name":"Jane Doe","domain":"example.com"}]}`;
    for (let at = 0; at < text.length; at += 16_384) yield Buffer.from(text.slice(at, at + 16_384));
  }
  expect(await take(readJsonOfPeople(body(), settings(), false), 1)).toBe(1);
});

async function take(rows: Rows, atLeast: number): Promise<number> {
  let count = 0;
  for await (const piece of rows) {
    count += piece.length;
    if (count >= atLeast) break;
  }
  return count;
}
