import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';

/** Whether an address may be connected to. */
export type AddressGuard = (address: string) => boolean;

/** The addresses of a name, IPv4 and IPv6. Rejects when it has none. */
export type AddressLookup = (name: string) => Promise<readonly string[]>;

/** Nest token of the `AddressLookup`. */
export const LOOKUP = Symbol('LOOKUP');

/** The error of a connection that was not made, because its address is not allowed. */
export class AddressRefused extends Error {
  constructor(host: string) {
    super(`${host} is not an address that may be connected to`);
    this.name = 'AddressRefused';
  }
}

const CONNECT_WITHIN_MS = 10_000;
const LOOKUP_MS = 2_000;
const LOOKUP_TRIES = 2;

/**
 * Asks DNS itself, not the system's `getaddrinfo`: that one reads `/etc/hosts`, and a name server that hangs would block one of the
 * few threads that the whole process shares.
 * @param dnsServers empty: the system's
 */
export function createAddressLookup(dnsServers: readonly string[]): AddressLookup {
  const resolver = new Resolver({ timeout: LOOKUP_MS, tries: LOOKUP_TRIES });
  if (dnsServers.length > 0) resolver.setServers(dnsServers);
  return async (name) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0 && v4.status === 'rejected') throw v4.reason;
    return addresses;
  };
}

/**
 * Connects for undici to allowed addresses only. The connector looks a name up itself and connects to the very address that it has
 * checked, so a DNS answer that changes a moment later (DNS rebinding) changes nothing. Before a byte is sent it checks the address that
 * the socket reports, too.
 */
export function createConnector(
  mayConnect: AddressGuard,
  lookUp: AddressLookup,
  tls: { readonly ca?: string } = {},
): buildConnector.connector {
  const lookup = createCheckedLookup(mayConnect, lookUp);
  const connect = buildConnector({ ...tls, timeout: CONNECT_WITHIN_MS, lookup });
  return (options, callback) => {
    if (isIP(options.hostname) !== 0 && !mayConnect(options.hostname))
      return callback(new AddressRefused(options.hostname), null);
    connect(options, (error, socket) => {
      if (error !== null) return callback(error, null);
      const peer = socket.remoteAddress;
      if (peer !== undefined && mayConnect(peer)) return callback(null, socket);
      socket.destroy();
      callback(new AddressRefused(options.hostname), null);
    });
  };
}

/** The look-up of a socket that then connects to the very addresses that were checked. */
export function createCheckedLookup(mayConnect: AddressGuard, lookUp: AddressLookup): LookupFunction {
  const addressesOf = callbackify(checkedAddresses);
  return (name, { all }, callback) => {
    addressesOf(name, mayConnect, lookUp, (error, addresses) => {
      if (error) callback(error, '');
      else if (all) callback(null, addresses);
      else callback(null, addresses[0]!.address, addresses[0]!.family);
    });
  };
}

/** @throws AddressRefused when even one address is not allowed: a name with public and private addresses is an attempt to reach the private ones */
export async function checkedAddresses(
  name: string,
  mayConnect: AddressGuard,
  lookUp: AddressLookup,
): Promise<{ address: string; family: number }[]> {
  const addresses = await lookUp(name);
  if (addresses.length === 0 || !addresses.every((address) => mayConnect(address))) throw new AddressRefused(name);
  return addresses.map((address) => ({ address, family: isIP(address) }));
}
