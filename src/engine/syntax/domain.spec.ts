import { isIPv4, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAddressLiteral } from './domain.js';

/** A fixed seed gives every run the same inputs. */
fc.configureGlobal({ seed: 5321 });

const address = (literal: string): string | null => parseAddressLiteral(literal)?.address ?? null;

/** The grammar of RFC 5321 section 4.1.3, rule by rule. What its comments say about ranges and groups is checked beside it. */
const HEX = '[0-9A-Fa-f]{1,4}';
const IPV4 = String.raw`\d{1,3}(?:\.\d{1,3}){3}`;
const RULES = {
  full: new RegExp(`^${HEX}(?::${HEX}){7}$`),
  comp: new RegExp(`^(?:${HEX}(?::${HEX}){0,5})?::(?:${HEX}(?::${HEX}){0,5})?$`),
  v4Full: new RegExp(`^${HEX}(?::${HEX}){5}:${IPV4}$`),
  v4Comp: new RegExp(`^(?:${HEX}(?::${HEX}){0,3})?::(?:${HEX}(?::${HEX}){0,3}:)?${IPV4}$`),
};
const piecesOf = (text: string): number => text.split(':').filter((piece) => piece !== '').length;
const snumsOf = (text: string): number[] => (new RegExp(`${IPV4}$`).exec(text)?.[0].split('.') ?? []).map(Number);

function isIpv6Addr(text: string): boolean {
  if (snumsOf(text).some((snum) => snum > 255)) return false;
  if (RULES.full.test(text) || RULES.v4Full.test(text)) return true;
  return (RULES.comp.test(text) && piecesOf(text) <= 6) || (RULES.v4Comp.test(text) && piecesOf(text) <= 5);
}

const snum = fc.constantFrom('0', '1', '10', '99', '192', '255', '256', '999', '00', '01', '012', '0255', '', 'a');
const dotted = fc.array(snum, { minLength: 3, maxLength: 5 }).map((snums) => snums.join('.'));
const group = fc.constantFrom('', '', '0', '1', 'db8', 'FFFF', '0000', '00001', 'g');
const colons = fc
  .tuple(fc.array(group, { minLength: 1, maxLength: 10 }), fc.option(dotted))
  .map(([groups, last]) => [...groups, ...(last === null ? [] : [last])].join(':'));
const zoned = fc.tuple(fc.ipV6(), fc.constantFrom('', '%1', '%eth0')).map((parts) => parts.join(''));
const ipv6Text = fc.oneof(colons, zoned);

describe('an address literal', () => {
  it('an address literal with the IPv6 tag is what the grammar of RFC 5321 says, in any text of colons, digits and dots', () => {
    let accepted = 0;
    fc.assert(
      fc.property(ipv6Text, (text) => {
        const found = address(`[IPv6:${text}]`);
        expect(found !== null, text).toBe(isIpv6Addr(text));
        if (found !== null) accepted += 1;
      }),
      { numRuns: 20_000 },
    );
    expect(accepted).toBeGreaterThan(2_000);
  });

  it('an address literal with the IPv6 tag is what Node takes for IPv6, but for zones, gaps of one group and zeros before decimals', () => {
    fc.assert(
      fc.property(ipv6Text, (text) => {
        const found = address(`[IPv6:${text}]`) !== null;
        if (found === isIPv6(text)) return;
        const isZoned = text.includes('%');
        const isGapOfOne = text.includes('::') && piecesOf(text) + (text.includes('.') ? 1 : 0) === 7;
        const hasZeros = /(?:^|[.:])0+\d+(?:\.|$)/.test(text) && text.includes('.');
        expect(found ? hasZeros : isZoned || isGapOfOne, text).toBe(true);
      }),
      { numRuns: 20_000 },
    );
  });

  it('an address literal without a tag is four decimals to 255 of at most three digits, and is written without leading zeros', () => {
    fc.assert(
      fc.property(dotted, (text) => {
        const isGrammar = new RegExp(`^${IPV4}$`).test(text) && snumsOf(text).every((value) => value <= 255);
        const found = address(`[${text}]`);
        expect(found, text).toBe(isGrammar ? snumsOf(text).join('.') : null);
        if (isIPv4(text)) expect(found).toBe(text);
      }),
      { numRuns: 5_000 },
    );
  });

  it('an address literal has one text for equal addresses, which parses to itself', () => {
    fc.assert(
      fc.property(ipv6Text, (text) => {
        const literal = parseAddressLiteral(`[ipv6:${text.toUpperCase()}]`);
        if (literal === null) return;
        expect(literal).toEqual(parseAddressLiteral(`[IPv6:${text.toLowerCase()}]`));
        expect(parseAddressLiteral(literal.text)).toEqual(literal);
        expect(literal.text).toBe(`[IPv6:${literal.address}]`);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    // IPv6-full
    ['[IPv6:2001:0DB8:0:0:0:0:0:1]', '2001:db8::1'],
    ['[IPv6:1:2:3:4:5:6:7:8]', '1:2:3:4:5:6:7:8'],
    ['[IPv6:1:2:3:4:5:6:7:0]', '1:2:3:4:5:6:7:0'],
    // IPv6-comp
    ['[IPv6:::]', '::'],
    ['[IPV6:::1]', '::1'],
    ['[iPv6:1:2:3:4:5:6::]', '1:2:3:4:5:6::'],
    // IPv6v4-full
    ['[IPv6:0:0:0:0:0:FFFF:192.0.2.1]', '::ffff:c000:201'],
    // IPv6v4-comp
    ['[IPv6:::ffff:192.0.2.1]', '::ffff:c000:201'],
    ['[IPv6:::192.000.002.01]', '::c000:201'],
    ['[IPv6:1:2:3:4::192.0.2.1]', '1:2:3:4::c000:201'],
    // Decimal, although a C library would read 010 as 8
    ['[010.0.0.1]', '10.0.0.1'],
  ])('%s is %s', (given, expected) => {
    expect(address(given)).toBe(expected);
  });

  it.each([
    // The gap stands for one group (RFC 5321 is stricter than RFC 4291)
    '[IPv6:1:2:3:4:5:6:7::]',
    '[IPv6:::2:3:4:5:6:7:8]',
    '[IPv6:1:2:3::5:6:7:8]',
    '[IPv6:1:2:3:4:5::192.0.2.1]',
    // Zones are for one machine only (RFC 4007)
    '[IPv6:fe80::1%eth0]',
    '[IPv6:fe80::1%25eth0]',
    '[IPv6:fe80::1%1.2.3.4]',
    // Snum
    '[IPv6:::192.0.2.256]',
    '[IPv6:::192.0.2.0001]',
    '[0192.0.2.1]',
    '[192.0.2]',
    '[192.0.2.0x1]',
    // Tags and brackets
    '[IPv6:192.0.2.1]',
    '[IPv6:]',
    '[IPv6]',
    '[IPv6::1]',
    '[IPv6 :::1]',
    '[IPv6: ::1]',
    '[IPv6:IPv6:::1]',
    '[IPv4:192.0.2.1]',
    '[2001:db8::1]',
    '[IPv6:::1',
    '[IPv6:[::1]]',
    '[tag:content]',
    '[]',
  ])('%s is none', (given) => {
    expect(parseAddressLiteral(given)).toBeNull();
  });
});
