import {
  type Arbitrary,
  array,
  assert,
  boolean,
  constantFrom,
  emailAddress,
  integer,
  nat,
  option,
  property,
  record,
  string,
  tuple,
  uniqueArray,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PeopleDecoder, PeopleEncoder, ResultDecoder, ResultEncoder } from './result-codec.js';
import { type ChunkResult, type Verification } from './chunk-result.js';

type Arbitraries<T> = { readonly [Name in keyof T]-?: Arbitrary<T[Name]> };

const times = () => integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 });
const hosts = () => option(constantFrom('mx1.x.example', 'mx2.x.example', 'mx.y.example'));
const states = () => constantFrom('pass', 'fail', 'unknown', 'skipped');

/* Members have few values, so that results have many of them in common. */
const CHECKS: Arbitraries<Verification['checks']> = {
  syntax: states(),
  mx: states(),
  smtp: states(),
  catchAll: option(constantFrom('yes', 'no', 'undetermined')),
  disposable: boolean(),
  role: boolean(),
  free: boolean(),
  spamTrap: boolean(),
  privacyRelay: boolean(),
};

const EVIDENCE: Arbitraries<Verification['evidence']> = {
  stage: constantFrom('syntax', 'dns', 'rcpt'),
  mxHost: hosts(),
  mxAddress: option(constantFrom('192.0.2.1', '192.0.2.2', '2001:db8::1')),
  code: option(constantFrom(250, 251, 550)),
  enhanced: option(constantFrom('2.1.5', '5.1.1')),
  text: option(string()),
  at: times(),
  fromCache: boolean(),
  witness: option(constantFrom('accepted_name', 'postmaster')),
  source: option(constantFrom('north', 'south')),
};

const VERIFICATION: Arbitraries<Verification> = {
  email: emailAddress(),
  normalizedEmail: option(emailAddress()),
  verdict: constantFrom('valid', 'invalid', 'risky', 'unknown'),
  reason: constantFrom('mailbox_exists', 'mailbox_not_found', 'greylisted'),
  score: constantFrom(0, 45, 95),
  confidence: constantFrom(0.3, 0.97, 1),
  checks: record(CHECKS),
  didYouMean: option(emailAddress()),
  provider: option(constantFrom('Google', 'Microsoft')),
  mxHost: hosts(),
  retryAfterSeconds: option(constantFrom(60, 300)),
  evidence: record(EVIDENCE),
  checkedAt: times(),
};

const RESULT: Arbitraries<Omit<ChunkResult, 'suppressed' | 'isPending' | 'found'>> = {
  offset: nat(999),
  verification: record(VERIFICATION),
  creditsCharged: constantFrom(0, 1),
  latencyMs: nat(100_000),
};

/** Every member at whatever depth, with the values it may have. */
const MEMBERS: readonly (readonly [path: string, values: Arbitrary<unknown>])[] = [
  ...membersOf('verification.checks.', CHECKS),
  ...membersOf('verification.evidence.', EVIDENCE),
  ...membersOf('verification.', VERIFICATION),
  ...membersOf('', RESULT),
].filter(([path]) => !['offset', 'verification', 'verification.checks', 'verification.evidence'].includes(path));

function membersOf(prefix: string, arbitraries: object): [string, Arbitrary<unknown>][] {
  return Object.entries(arbitraries).map(([name, values]) => [prefix + name, values as Arbitrary<unknown>]);
}

function withMember(result: ChunkResult, path: string, value: unknown): ChunkResult {
  const changed = structuredClone(result);
  const names = path.split('.');
  const owner = names.slice(0, -1).reduce((part, name) => part[name] as typeof part, changed as never as Parts);
  owner[names.at(-1)!] = value;
  return changed;
}

interface Parts {
  [name: string]: unknown;
}

function encoded(results: readonly ChunkResult[]): string {
  const encoder = new ResultEncoder();
  for (const result of results) encoder.add(result);
  return encoder.toString();
}

function decoded(results: readonly ChunkResult[]): ChunkResult[] {
  const emails: string[] = [];
  for (const { offset, verification } of results) emails[offset] = verification.email;
  const decoder = new ResultDecoder(encoded(results), emails);
  return results.map(({ offset }) => decoder.at(offset));
}

describe('packed results of addresses', () => {
  it('packed results of addresses are decoded equal to what was encoded, in whatever order they came', () => {
    const chunks = uniqueArray(record(RESULT), { selector: ({ offset }) => offset, maxLength: 30 });
    assert(
      property(chunks, (results) => {
        expect(decoded(results)).toEqual(results);
      }),
    );
  });

  it.each(MEMBERS)('packed results of addresses are never merged when they differ in %s alone', (path, values) => {
    const twoValues = tuple(values, values).filter(([a, b]) => a !== b);
    assert(
      property(record(RESULT), twoValues, array(record(RESULT), { maxLength: 3 }), (result, [a, b], others) => {
        const pair = [a, b].map((value, offset) => ({ ...withMember(result, path, value), offset }));
        const results = [...pair, ...others.map((other, i) => ({ ...other, offset: i + 2 }))];
        expect(decoded(results)).toEqual(results);
      }),
      { numRuns: 30 },
    );
  });

  it('packed results of addresses have the verdict of each address that the pass has settled, and none of any other', () => {
    assert(
      property(record(RESULT), (result) => {
        const decoder = new ResultDecoder(encoded([{ ...result, offset: 1 }]), ['', result.verification.email]);
        expect([decoder.verdictAt(0), decoder.verdictAt(1)]).toEqual([null, result.verification.verdict]);
      }),
    );
  });

  it('packed results of addresses hold once what all of them have in common', () => {
    assert(
      property(record(RESULT), (result) => {
        const packed = JSON.parse(encoded([1, 2, 3].map((offset) => ({ ...result, offset })))) as { facts: unknown[] };
        expect(packed.facts).toHaveLength(1);
      }),
    );
  });

  it('packed results of addresses of another version are refused by a fault that names both versions', () => {
    const text = encoded([]).replace('"v":2', '"v":1');
    expect(() => new ResultDecoder(text, [])).toThrow('stored results have version 1, this release reads version 2');
    expect(() => new ResultDecoder(text.replace('"v":1,', ''), [])).toThrow('version undefined');
  });
});

describe('packed results of people', () => {
  function encodedPeople(results: readonly ChunkResult[]): string {
    const encoder = new PeopleEncoder();
    for (const result of results) encoder.add(result);
    return encoder.toString();
  }

  it('packed results of people are decoded equal to what was encoded, in whatever order they came', () => {
    const chunks = uniqueArray(record(RESULT), { selector: ({ offset }) => offset, maxLength: 30 });
    assert(
      property(chunks, (results) => {
        const decoder = new PeopleDecoder(encodedPeople(results));
        expect(results.map(({ offset }) => decoder.at(offset))).toEqual(results);
        expect(decoder.verdictAt(1_000)).toBeNull();
      }),
    );
  });

  it('packed results of people of another version are refused by a fault that names both versions', () => {
    const text = encodedPeople([]).replace('"v":2', '"v":1');
    expect(() => new PeopleDecoder(text)).toThrow('stored results have version 1, this release reads version 2');
  });
});
