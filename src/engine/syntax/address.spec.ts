import { describe, expect, it } from 'vitest';
import isEmail from 'validator/lib/isEmail.js';
import { BAD_ADDRESSES, domainOf, GOOD_ADDRESSES } from '../../../test/corpus/addresses.js';
import type { Address } from '../types.js';
import { parseAddress } from './address.js';

function parsed(input: string): Address {
  const result = parseAddress(input);
  if (!result.ok) throw new Error(`${JSON.stringify(input)}: ${result.problem}`);
  return result.address;
}

const NORMAL_FORMS = GOOD_ADDRESSES.map(([given, normal]) => [given, normal ?? given] as const);

describe('parseAddress', () => {
  it.each(NORMAL_FORMS)('parseAddress accepts %j as %j', (given, normal) => {
    expect(parsed(given).normalized).toBe(normal);
  });

  it.each(NORMAL_FORMS)('parseAddress finds the normal form of %j normal', (given) => {
    const address = parsed(given);
    expect(parsed(address.normalized)).toEqual({ ...address, given: address.normalized });
  });

  it.each(Object.entries(BAD_ADDRESSES).flatMap(([problem, rows]) => rows.map((row) => [problem, row] as const)))(
    'parseAddress refuses as %s: %j',
    (problem, given) => {
      const result = parseAddress(given);
      expect(result.ok ? result.address.normalized : result.problem).toBe(problem);
    },
  );

  it('parseAddress builds its boundary rows at the octets they claim', () => {
    expect([189, 190, 252, 256].map((octets) => domainOf(octets).length)).toEqual([189, 190, 252, 256]);
  });

  it('parseAddress returns every part of a full address', () => {
    expect(parsed(' Jörg <Jo\u0308rg+News+x@MÜNCHEN.de> ')).toEqual({
      given: 'Jo\u0308rg+News+x@MÜNCHEN.de',
      localPart: 'Jörg+News+x',
      domain: 'xn--mnchen-3ya.de',
      normalized: 'Jörg+News+x@xn--mnchen-3ya.de',
      tag: 'News+x',
      needsSmtpUtf8: true,
      literal: null,
      neverResolves: false,
    });
  });

  it.each([
    ['user+tag@example.com', 'tag'],
    ['user+a+b@example.com', 'a+b'],
    ['"user+tag"@example.com', 'tag'],
    ['user+@example.com', null],
    ['user@example.com', null],
    ['+491234@example.com', null],
    ['"a b+tag"@example.com', null],
  ])('parseAddress reports the tag of %s', (given, tag) => {
    expect(parsed(given).tag).toBe(tag);
  });

  it.each([
    ['user@münchen.de', false],
    ['\u212a@example.com', false],
    ['jörg@example.com', true],
    ['"jörg m"@example.com', true],
  ])('parseAddress needs SMTPUTF8 for the local part alone: %s', (given, needed) => {
    expect(parsed(given).needsSmtpUtf8).toBe(needed);
  });

  it.each([
    ['a@[192.0.2.1]', '192.0.2.1'],
    ['a@[IPv6:2001:DB8::1]', '2001:db8::1'],
    ['a@example.com', null],
  ])('parseAddress hands the address of a literal on: %s', (given, literal) => {
    expect(parsed(given).literal).toBe(literal);
  });

  it.each(['localhost', 'b.localhost', 'b.invalid', 'b.local', 'b.onion', 'b.alt', 'B.LOCAL'])(
    'parseAddress knows that %s never resolves',
    (domain) => {
      expect(parsed(`a@${domain}`).neverResolves).toBe(true);
    },
  );

  it.each(['b.test', 'b.example', 'b.internal', 'home.arpa', 'invalid.com', 'local.host', 'b.c', 'b.123a', 'b.zz'])(
    'parseAddress leaves %s to DNS',
    (domain) => {
      expect(parsed(`a@${domain}`).neverResolves).toBe(false);
    },
  );

  it('parseAddress returns a refused address without the text around it', () => {
    expect(parseAddress(' Jane <jane@gmail> ')).toEqual({
      ok: false,
      given: 'jane@gmail',
      problem: 'domain_malformed',
    });
  });

  it('parseAddress looks at no more than 2,048 characters', () => {
    const wrapped = (length: number): string =>
      `${'N'.repeat(length - 'x <user@example.com>'.length)} x<user@example.com>`;
    expect(parseAddress(wrapped(2_048))).toMatchObject({ ok: true });
    expect(parseAddress(wrapped(2_049))).toMatchObject({ ok: false, problem: 'too_long' });
  });
});

describe('parseAddress beside the validator package', () => {
  const options = { allow_ip_domain: true, allow_utf8_local_part: true, ignore_max_length: false };

  /** validator knows no letters outside a few blocks, no IPv6 tag, no single label and no empty or escaped quoted string. */
  const comparable = ({ normalized, localPart, literal, domain }: Address): boolean =>
    /^[ -~]+$/.test(normalized) && literal === null && domain.includes('.') && !localPart.startsWith('"');

  it('parseAddress beside the validator package accepts the addresses that both understand', () => {
    const addresses = GOOD_ADDRESSES.map(([given]) => parsed(given)).filter(comparable);
    expect(addresses.length).toBeGreaterThan(70);
    expect(addresses.map((address) => address.normalized).filter((text) => !isEmail.default(text, options))).toEqual(
      [],
    );
  });

  it('parseAddress beside the validator package refuses nothing comparable that validator accepts, but for what validator is lenient about', () => {
    const rows = Object.values(BAD_ADDRESSES).flat();
    // Beyond ASCII validator asks neither UTS-46 nor IDNA2008, and it throws at half a character.
    const comparableRows = rows.filter((row) => /^[\0-\x7f]*$/.test(row) && !row.includes('xn--'));
    expect(comparableRows.filter((row) => isEmail.default(row, options))).toEqual([
      '"a\tb"@example.com',
      '"@example.com',
      'a@192.0.2.1',
      'a@[2001:db8::1]',
    ]);
  });
});
