import { isIP, isIPv6 } from 'node:net';
import type { EgressSource } from '../../ports.js';

/** The /24 or /48 of a source's address; of a proxy's, as far as it is known by its address; else a name that no other source has. */
export function networkOf({ name, address, socks5 }: Pick<EgressSource, 'name' | 'address' | 'socks5'>): string {
  const ip = address ?? socks5?.host ?? null;
  return ip !== null && isIP(ip) !== 0 ? networkOfAddress(ip) : name;
}

/** The /24 or /48 of an IP address. */
export function networkOfAddress(ip: string): string {
  return isIPv6(ip) ? firstGroups(ip, 3) : ip.slice(0, ip.lastIndexOf('.'));
}

/** The first groups of 16 bits of an IPv6 address, without leading zeros. */
function firstGroups(ip: string, count: number): string {
  const [head = '', tail] = ip.split('%', 1)[0]!.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  return groups
    .slice(0, count)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
