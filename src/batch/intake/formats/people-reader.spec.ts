import { expect, it } from 'vitest';
import { settingsOf } from '../body.js';
import type { Rows } from './intake-row.js';
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

async function take(rows: Rows, atLeast: number): Promise<number> {
  let count = 0;
  for await (const piece of rows) {
    count += piece.length;
    if (count >= atLeast) break;
  }
  return count;
}
