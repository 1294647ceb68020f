import { describe, expect, it } from 'vitest';

import { createAddressGuard, isPublicAddress } from './public-address.js';

/** Networks by their first and last address, and the public neighbours just outside. Null where there is none. */
const REFUSED: readonly [name: string, first: string, last: string, before: string | null, after: string | null][] = [
  ['this network', '0.0.0.0', '0.255.255.255', null, '1.0.0.0'],
  ['private 10', '10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['carrier-grade NAT', '100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['loopback', '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['link-local', '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['private 172.16', '172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['protocol assignments', '192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['documentation 1', '192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['6to4 relays', '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['private 192.168', '192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['benchmarking', '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['documentation 2', '198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['documentation 3', '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['multicast, reserved and broadcast', '224.0.0.0', '255.255.255.255', '223.255.255.255', null],
  ['all below global unicast', '::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null, '2000::'],
  ['protocol assignments, IPv6', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff::1', '2001:200::'],
  ['documentation, IPv6', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db7:ffff::1', '2001:db9::'],
  ['documentation 2, IPv6', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffe:ffff::1', '3fff:1000::'],
  ['all above global unicast', '4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:ffff::1', null],
];

const NOT_PUBLIC: readonly [name: string, address: string][] = [
  ['loopback', '::1'],
  ['IPv4-mapped loopback', '::ffff:127.0.0.1'],
  ['IPv4-mapped private, in hexadecimal', '::ffff:a00:1'],
  ['IPv4-mapped public: not an address of the wire', '::ffff:8.8.8.8'],
  ['IPv4-compatible', '::8.8.8.8'],
  ['IPv4-translated', '::ffff:0:10.0.0.1'],
  ['NAT64 of private', '64:ff9b::10.0.0.1'],
  ['NAT64 of loopback', '64:ff9b::7f00:1'],
  ['NAT64 of link-local metadata', '64:ff9b::169.254.169.254'],
  ['local-use NAT64', '64:ff9b:1::8.8.8.8'],
  ['6to4 of private', '2002:a00:1::1'],
  ['6to4 of private 192.168', '2002:c0a8:101::'],
  ['6to4 of loopback', '2002:7f00:1::'],
  ['discard-only', '100::1'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ['segment routing', '5f00::1'],
  ['unique local', 'fd12:3456:789a::1'],
  ['unique local, upper case', 'FC00::1'],
  ['link-local', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['global with a zone', '2606:4700::1%eth0'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff02::1'],
  ['nothing', ''],
  ['a name', 'localhost'],
  ['short IPv4', '127.1'],
  ['octal IPv4', '0177.0.0.1'],
  ['IPv4 as one number', '2130706433'],
  ['an IPv4 part too large', '8.8.8.256'],
  ['two gaps', '2606::1::2'],
  ['brackets', '[2606:4700::1]'],
];

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '100.128.0.1',
  '172.217.0.27',
  '192.0.66.1',
  '198.20.1.1',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4013:c16::1b',
  '2001:4860:4860::8888',
  '2600::',
  '2002:808:808::1',
  '64:ff9b::8.8.8.8',
];

describe('public addresses', () => {
  it.each(REFUSED)(
    'public addresses refuses %s to its last address, and nothing beside it',
    (_, first, last, before, after) => {
      expect([first, last].map(isPublicAddress)).toEqual([false, false]);
      for (const neighbour of [before, after]) if (neighbour !== null) expect(isPublicAddress(neighbour)).toBe(true);
    },
  );

  it.each(NOT_PUBLIC)('public addresses refuses %s: %s', (_, address) => expect(isPublicAddress(address)).toBe(false));

  it.each(PUBLIC)('public addresses accepts %s', (address) => expect(isPublicAddress(address)).toBe(true));
});

describe('the address guard', () => {
  it('the address guard lets the configured networks through, to their last address, and nothing else', () => {
    const mayConnect = createAddressGuard(['10.1.0.0/16', '127.0.0.1', 'fd00::/8', '::1/128']);
    for (const address of ['10.1.0.0', '10.1.255.255', '127.0.0.1', 'fdff::1', '::1', '8.8.8.8', '2600::1']) {
      expect([address, mayConnect(address)]).toEqual([address, true]);
    }
    for (const address of ['10.0.255.255', '10.2.0.0', '127.0.0.2', 'fc00::1', '::2', '::ffff:10.1.0.1', 'x', '']) {
      expect([address, mayConnect(address)]).toEqual([address, false]);
    }
  });

  it('the address guard does not take an IPv4 network for the IPv6 addresses with the same number', () => {
    expect(createAddressGuard(['0.0.0.0/0'])('::1')).toBe(false);
    expect(createAddressGuard(['::/0'])('127.0.0.1')).toBe(false);
  });

  it('the address guard lets nothing private through without configured networks', () => {
    expect(['127.0.0.1', '::1', '10.0.0.1'].map(createAddressGuard([]))).toEqual([false, false, false]);
  });

  it.each([
    '',
    'localhost',
    '10.0.0.0/33',
    'fd00::/129',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0/8',
    '10.0.0.0/-1',
    '10.0.0.0/ 8',
  ])('the address guard refuses the network "%s" by its text', (network) => {
    expect(() => createAddressGuard(['10.0.0.0/8', network])).toThrow(`"${network}" is not a network`);
  });

  it('the address guard refuses a network with bits beyond its prefix, which is a typing error more often than not', () => {
    expect(() => createAddressGuard(['10.1.0.0/8'])).toThrow('"10.1.0.0/8" is not a network: it has bits set beyond');
  });
});
