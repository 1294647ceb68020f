import { describe, expect, it } from 'vitest';
import { OVER_IPV4, OVER_IPV6, writtenHeader } from '../../../test/support/proxy-headers.js';
import { MAX_HEADER_BYTES, readProxyHeader } from './proxy-protocol.js';

const OF_AWS = [[0xea, '\x01vpce-08d2bf15fac5001c9']] as const;

describe('a header of version 2 of the PROXY protocol', () => {
  it.each([
    ['IPv4', {}, 'PROXY TCP4 192.0.2.7 127.0.0.1 40000 25\r\n'],
    ['IPv6', { family: 0x21, addresses: OVER_IPV6 }, 'PROXY TCP6 2001:db8::7 ::1 40000 25\r\n'],
    [
      'IPv4 that is written as IPv6',
      { family: 0x21, addresses: mapped() },
      'PROXY TCP4 192.0.2.7 127.0.0.1 40000 25\r\n',
    ],
    ['a UNIX socket', { family: 0x31, addresses: Array<number>(216).fill(0x2f) }, 'PROXY UNKNOWN\r\n'],
    ['nobody', { family: 0x00, addresses: [] }, 'PROXY UNKNOWN\r\n'],
    ['nobody, with bytes that mean nothing', { family: 0x00, addresses: [1, 2, 3] }, 'PROXY UNKNOWN\r\n'],
    ['itself', { command: 0x20, family: 0x00, addresses: [] }, 'PROXY UNKNOWN\r\n'],
    ['itself, with addresses to be passed over', { command: 0x20 }, 'PROXY UNKNOWN\r\n'],
    ['itself, in a family that nobody knows', { command: 0x20, family: 0xff }, 'PROXY UNKNOWN\r\n'],
    ['IPv4, with what AWS adds', { values: OF_AWS }, 'PROXY TCP4 192.0.2.7 127.0.0.1 40000 25\r\n'],
    ['IPv4, with an empty value', { values: [[4, '']] as const }, 'PROXY TCP4 192.0.2.7 127.0.0.1 40000 25\r\n'],
  ])('a header of version 2 of the PROXY protocol says %s as version 1 does, and how long it is', (_, given, line) => {
    const header = writtenHeader(given);
    const heard = Buffer.concat([header, Buffer.from('EHLO mail.sender.example\r\n')]);
    expect(readProxyHeader(heard)).toEqual({ outcome: 'whole', bytes: header.byteLength, line });
  });

  it('a header of version 2 of the PROXY protocol is waited for as long as any byte of it is missing', () => {
    const header = writtenHeader({ values: OF_AWS });
    for (let bytes = 0; bytes < header.byteLength; bytes++)
      expect(readProxyHeader(header.subarray(0, bytes))).toEqual({ outcome: 'incomplete' });
  });

  it('a header of version 2 of the PROXY protocol is no other than one that begins like it', () => {
    const header = writtenHeader();
    for (let at = 0; at < 12; at++) {
      const other = Buffer.from(header);
      other[at]! ^= 1;
      expect(readProxyHeader(other)).toEqual({ outcome: 'other' });
      expect(readProxyHeader(other.subarray(0, at + 1))).toEqual({ outcome: 'other' });
    }
    expect(readProxyHeader(Buffer.from('PROXY TCP4 192.0.2.7'))).toEqual({ outcome: 'other' });
  });

  it.each([
    ['of version 1', { command: 0x11 }],
    ['of version 3', { command: 0x31 }],
    ['with a command that nobody knows', { command: 0x22 }],
    ['over UDP', { family: 0x12 }],
    ['over UDP and IPv6', { family: 0x22, addresses: OVER_IPV6 }],
    ['over datagrams of UNIX', { family: 0x32, addresses: Array<number>(216).fill(0) }],
    ['of a family that nobody knows', { family: 0x41 }],
    ['of a protocol that nobody knows', { family: 0x13 }],
    ['of half a kind', { family: 0x10 }],
    ['with half an address', { addresses: OVER_IPV4.slice(0, 11) }],
    ['with an address of the other family', { family: 0x21, addresses: OVER_IPV4 }],
    ['with a path that is cut', { family: 0x31, addresses: OVER_IPV4 }],
    ['without what it announces', { addresses: [] }],
    ['that ends in the middle of a value', { values: [[4, 'value']] as const, length: OVER_IPV4.length + 7 }],
    ['that ends before a value', { values: [[4, 'value']] as const, length: OVER_IPV4.length + 3 }],
    ['that ends before the length of a value', { values: [[4, 'value']] as const, length: OVER_IPV4.length + 2 }],
    ['that is longer than any is', { values: [[4, 'x'.repeat(MAX_HEADER_BYTES)]] as const }],
    ['that says it were as long as it can say', { length: 0xffff }],
  ])('%s is refused', (_, given) => {
    expect(readProxyHeader(writtenHeader(given))).toEqual({ outcome: 'malformed' });
  });

  it('a header of version 2 of the PROXY protocol that is too long, or of no kind, is refused before the rest of it is waited for', () => {
    for (const given of [{ length: 0xffff }, { command: 0x2f }, { family: 0x99 }])
      expect(readProxyHeader(writtenHeader(given).subarray(0, 16))).toEqual({ outcome: 'malformed' });
  });
});

function mapped(): readonly number[] {
  const prefix = [...Array<number>(10).fill(0), 0xff, 0xff];
  return [...prefix, 192, 0, 2, 7, ...prefix, 127, 0, 0, 1, 0x9c, 0x40, 0, 25];
}
