const SIGNATURE = [0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a];

export interface WrittenHeader {
  /** Version and command: 0x21 is PROXY in version 2. */
  readonly command?: number;
  /** Family and protocol: 0x11 is TCP over IPv4. */
  readonly family?: number;
  readonly addresses?: readonly number[];
  /** Type and value. */
  readonly values?: readonly (readonly [number, string])[];
  /** Instead of the true one. */
  readonly length?: number;
}

/** From 192.0.2.7 port 40000 to 127.0.0.1 port 25. */
export const OVER_IPV4 = [192, 0, 2, 7, 127, 0, 0, 1, 0x9c, 0x40, 0, 25];
/** From 2001:db8::7 to ::1. */
export const OVER_IPV6 = [
  [0x20, 1, 0xd, 0xb8, ...Array<number>(11).fill(0), 7],
  [...Array<number>(15).fill(0), 1],
  [0x9c, 0x40, 0, 25],
].flat();

/** A header of version 2 of the PROXY protocol, as HAProxy writes it with `send-proxy-v2`. */
export function writtenHeader({
  command = 0x21,
  family = 0x11,
  addresses = OVER_IPV4,
  values = [],
  length,
}: WrittenHeader = {}): Buffer {
  const texts = values.map(([type, text]) => {
    const value = Buffer.from(text, 'latin1');
    return Buffer.from([type, value.byteLength >> 8, value.byteLength & 255, ...value]);
  });
  const rest = Buffer.concat([Buffer.from(addresses), ...texts]);
  const said = length ?? rest.byteLength;
  return Buffer.concat([Buffer.from([...SIGNATURE, command, family, said >> 8, said & 255]), rest]);
}
