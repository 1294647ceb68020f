import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readBody, type SentBody, settingsOf, unpacked } from './body.js';
import { nextSlice, workbookPlace } from './upload-places.js';

const CALLER = { accountId: 'account', simulated: false };
const SLICES = {
  nextSlice: () => nextSlice(CALLER),
  workbookPlace: () => workbookPlace(CALLER, new AbortController().signal),
};

it('a body that is here at once leaves the event loop a turn after every 16 KiB', async () => {
  const stream = Readable.from([Buffer.alloc(200_000, 'a'), Buffer.alloc(10, 'b')]);
  const body: SentBody = { stream, contentType: 'text/plain', contentEncoding: '', refusesUnknown: true, ...SLICES };
  let turns = 0;
  const turn = () => {
    turns += 1;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  const seen: number[] = [];
  let length = 0;
  for await (const piece of unpacked(body, 1_000_000)) {
    expect(piece.length).toBeLessThanOrEqual(16_384);
    length += piece.length;
    seen.push(turns);
  }
  clearImmediate(next);
  expect(length).toBe(200_010);
  expect(new Set(seen).size).toBe(seen.length);
});

describe('the file of a form', () => {
  const CSV = 'email,city\na@example.com,Bonn';

  it.each([
    ['application/vnd.ms-excel', 'PEOPLE.CSV', CSV],
    ['text/plain', 'people.csv', CSV],
    ['text/csv', 'people.txt', CSV],
    ['text/csv', 'people', CSV],
    ['application/json', 'people.csv', '{"emails":["a@example.com"]}'],
    ['text/plain', 'people.ndjson', '"a@example.com"'],
    ['application/jsonl', 'people', '"a@example.com"'],
    ['text/plain', 'people', 'a@example.com'],
    ['application/octet-stream', 'people.txt', 'a@example.com'],
  ])(
    'the file of a form that is called %s and %s is read by its type, and by its name when that tells little',
    async (type, name, text) => {
      expect(await emailsOf(type, name, text)).toEqual(['a@example.com']);
    },
  );

  it.each(['application/octet-stream', 'image/png'])(
    'the file of a form that is called %j and has no name that tells is refused',
    async (type) => {
      await expect(emailsOf(type, 'people', 'a@example.com')).rejects.toMatchObject({ code: 'unsupported_media_type' });
    },
  );
});

async function emailsOf(type: string, name: string, text: string): Promise<string[]> {
  const head = `Content-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}`;
  const stream = Readable.from([Buffer.from(`--b\r\n${head}\r\n\r\n${text}\r\n--b--\r\n`)]);
  const body = {
    stream,
    contentType: 'multipart/form-data; boundary=b',
    contentEncoding: '',
    refusesUnknown: true,
    ...SLICES,
  };
  const emails: string[] = [];
  for await (const rows of readBody(body, 'addresses', settingsOf({})))
    emails.push(...Array.from(rows, ({ item }) => item));
  return emails;
}
