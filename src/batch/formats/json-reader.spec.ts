import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../platform/errors/app-error.js';
import type { IntakeSettings } from './sent-body.js';
import { readJson } from './json-reader.js';

/** What is read of a body that comes in pieces of these lengths, the last one again and again; spaces around addresses left out. */
async function read(body: Buffer, lengths: readonly number[]) {
  async function* pieces() {
    for (let at = 0, i = 0; at < body.length; i++) {
      const length = lengths[Math.min(i, lengths.length - 1)]!;
      yield body.subarray(at, at + length);
      at += length;
    }
  }
  const settings: IntakeSettings = {
    name: null,
    isHeld: false,
    webhookUrl: null,
    maxCredits: null,
    reuseDays: 0,
    retryWindowSeconds: null,
    retentionDays: null,
    namedColumns: {},
    hasHeader: null,
    delimiter: null,
    sheet: null,
    columns: null,
  };
  const emails: string[] = [];
  for await (const rows of readJson(pieces(), settings, false))
    for (const { item: email } of rows) emails.push(email.trim());
  return { emails, name: settings.name };
}

/** Plain ones, ones that need escaping, and anything. */
const email = fc.oneof(
  fc.stringMatching(/^[ -~]{0,12}@[a-z.]{1,12}$/),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('', '"', '\\', 'é@b.example', '\u0000', '\ud800@b.example', '],"emails":['),
);
const space = fc.constantFrom('', '', ' ', '\r\n\t');
const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
const body = fc
  .record({ emails: fc.array(email, { maxLength: 12 }), name: fc.string(), space, isFirst: fc.boolean() })
  .map(({ emails, name, space, isFirst }) => {
    const list = `"emails"${space}:[${space}${emails.map((one) => JSON.stringify(one) + space).join(`,${space}`)}]`;
    const rest = `"name":${JSON.stringify(name)},"other":[[1],{"emails":["no"]},"["]`;
    return { emails, name, text: `${space}{${space}${isFirst ? `${list},${rest}` : `${rest},${list}`}}${space}` };
  });

describe('readJson', () => {
  it('readJson reads the same however the body is cut into pieces', () =>
    fc.assert(
      fc.asyncProperty(body, lengths, async ({ emails, name, text }, cuts) => {
        expect(await read(Buffer.from(text), cuts)).toEqual({ emails: emails.map((one) => one.trim()), name });
      }),
    ));

  it('readJson refuses what JSON.parse refuses, wherever it is broken', () =>
    fc.assert(
      fc.asyncProperty(
        body,
        lengths,
        fc.nat(),
        fc.constantFrom('"', ',', ':', '[', ']', '{', '}', '1', '\\', ' '),
        async ({ text }, cuts, at, by) => {
          const broken = Buffer.from(text);
          broken[at % broken.length] = by.charCodeAt(0);
          let expected: { emails: string[] } | null = null;
          try {
            expected = JSON.parse(broken.toString()) as { emails: string[] };
          } catch {
            await expect(read(broken, cuts)).rejects.toThrow(AppError);
            return;
          }
          // Still JSON: it may be no list any more, or have one letter changed.
          const { emails } = await read(broken, cuts).catch(() => ({ emails: null }));
          if (emails !== null) expect(emails).toEqual(expected.emails.map((one) => one.trim()));
        },
      ),
      { numRuns: 500 },
    ));

  it('readJson tells the place of what is no text, after texts of every kind', async () => {
    const refused = read(Buffer.from('{"emails":["a@b.example","\\u00e9@b.example", "c@b.example",7]}'), [1_000]);
    await expect(refused).rejects.toMatchObject({ details: { fields: [{ field: 'emails[3]' }] } });
  });

  it('readJson refuses an address of more than 1,000 characters wherever its piece ends', async () => {
    const long = Buffer.from(`{"emails":["${'a'.repeat(1_001)}"]}`);
    for (const length of [10, 500, 5_000]) await expect(read(long, [length])).rejects.toThrow(AppError);
  });
});
