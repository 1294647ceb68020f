import { ValidationPipe } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import '../../src/api.modules.js';
import { FlatClass } from '../../src/platform/http/flat-class.js';
import { fieldErrors } from '../../src/platform/http/input-checks.js';

type Class = new () => object;

const RUNS = 150;

/** What somebody may mean. */
const LIKELY = JSON.parse(`[
  "a", "Ada Lovelace", "a@b.example", "b.example", "https://b.example/x", "192.0.2.1", "192.0.2.0/24", "eu-west", "2030-01-01",
  "2030-01-01T00:00:00Z", "00000000-0000-4000-8000-000000000001", "true", "false", "1", "25", "",
  1, 2, 10, 25, 100, 1000, 86400, 0, true, false, null
]`) as readonly unknown[];
/** What somebody may try. */
const HOSTILE = JSON.parse(`[
  -1, -0, 1.5, 1e21, 1e308, 9007199254740993, "1e3", "0x10", " 1", "١", "NaN", "-1", "1.0", "${'x'.repeat(70_000)}",
  "\\u0000", "a\\u0000b", "\\ud800", "a\\udfff", "\\u2028", "\\u202e", "\\ufeff", "__proto__", "constructor",
  {}, [], [null], ["a", "a"], {"a": 1}, {"length": 1}, {"toString": "x"}, {"then": 1}, [["a"]], [{}]
]`) as readonly unknown[];

/** Every class with rules that the service has, and reads without class-validator's walk. */
function flatClasses(): readonly (readonly [Class, FlatClass])[] {
  const { validationMetadatas: known } = getMetadataStorage() as unknown as {
    readonly validationMetadatas: ReadonlyMap<unknown, unknown>;
  };
  const all = [...known.keys()].filter((one): one is Class => typeof one === 'function');
  return all.flatMap((made) => {
    const flat = FlatClass.of(made);
    return flat === null ? [] : [[made, flat] as const];
  });
}

/** Objects of JSON with members of the class and others, in any order. */
function inputsOf(made: Class): fc.Arbitrary<string> {
  const rules = getMetadataStorage().getTargetValidationMetadatas(made, '', false, false);
  const named = rules
    .flatMap(({ constraints }): unknown[] => (constraints as unknown[] | undefined)?.flat() ?? [])
    .filter((one) => ['string', 'number', 'boolean'].includes(typeof one));
  const value = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...LIKELY, ...named) },
    { weight: 2, arbitrary: fc.constantFrom(...HOSTILE) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  );
  const names = [...new Set(rules.map(({ propertyName }) => propertyName))];
  const name = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...names) },
    { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'toString', 'then', 'other') },
  );
  return fc
    .array(fc.tuple(name, value), { maxLength: names.length + 2 })
    .map((members) => JSON.stringify(Object.fromEntries(members)));
}

it('input of every class is read by its rules alone as by class-validator, or left to it', async () => {
  const pipe = new ValidationPipe({
    transform: true,
    whitelist: true,
    exceptionFactory: (errors) => new Error(JSON.stringify(fieldErrors(errors))),
  });
  let accepted = 0;
  const classes = flatClasses();
  for (const [made, flat] of classes)
    for (const text of fc.sample(inputsOf(made), { numRuns: RUNS, seed: 1 })) {
      const read = flat.read(JSON.parse(text) as object);
      if (read === null) continue;
      accepted += 1;
      const expected = await pipe
        .transform(JSON.parse(text), { type: 'body', metatype: made })
        .catch((error: unknown) => error);
      expect({ input: text, read }).toStrictEqual({ input: text, read: expected });
    }
  expect(classes.length).toBeGreaterThan(30);
  expect(accepted).toBeGreaterThan(1_000);
});
