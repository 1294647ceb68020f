import { describe, expect, it } from 'vitest';
import { clientNetwork, storableAddress } from './networks.js';

describe('the network that a client address counts for', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['::1', '::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['192.0.2.7:5678', '192.0.2.7'],
    ['[2001:db8:1:2::7]:5678', '2001:db8:1:2::/64'],
    ['unknown', 'unknown'],
    ['_hidden', 'unknown'],
    ['', 'unknown'],
  ])('%s is %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });

  it.each([
    ['192.0.2.7', '192.0.2.0/24'],
    ['::ffff:192.0.2.7', '192.0.2.0/24'],
    ['2001:db8:1:2::1', '2001:db8:1::/48'],
    ['unknown', 'unknown'],
  ])('%s is %s where other prefixes are named', (address, network) => {
    expect(clientNetwork(address, { ipv4: 24, ipv6: 48 })).toBe(network);
  });

  it('the network that a client address counts for keeps an address as the database takes it', () => {
    expect(storableAddress('::ffff:192.0.2.7')).toBe('192.0.2.7');
    expect(storableAddress('fe80::1%eth0')).toBe('fe80::1');
    expect(storableAddress('192.0.2.7:5678')).toBe('192.0.2.7');
    expect(storableAddress('unknown')).toBeNull();
  });
});
