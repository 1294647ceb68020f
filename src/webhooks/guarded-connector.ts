import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';
import type { AddressGuard } from '../platform/address-guard.js';

/** The addresses of a name, IPv4 and IPv6. Rejects when it has none. */
export type LookUp = (name: string) => Promise<readonly string[]>;

/** A connection that was not made, because of where it would have gone. */
export class AddressRefused extends Error {
  constructor(host: string) {
    super(`${host} is not an address that webhooks may go to`);
    this.name = 'AddressRefused';
  }
}

const CONNECT_WITHIN_MS = 10_000;

/**
 * Connects for undici to allowed addresses only. A name is looked up here and nowhere else, so the address that is checked is the
 * one that is connected to, whatever DNS says a moment later; and the socket's own word is asked before a byte is sent.
 */
export function createConnector(mayConnect: AddressGuard, lookUp: LookUp): buildConnector.connector {
  const addressesOf = callbackify(checkedAddresses);
  const lookup: LookupFunction = (name, { all }, callback) => {
    addressesOf(name, mayConnect, lookUp, (error, addresses) => {
      if (error) callback(error, '');
      else if (all) callback(null, addresses);
      else callback(null, addresses[0]!.address, addresses[0]!.family);
    });
  };
  const connect = buildConnector({ timeout: CONNECT_WITHIN_MS, lookup });
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

/** @throws AddressRefused when even one of them is not allowed: a name that mixes them means no good */
export async function checkedAddresses(
  name: string,
  mayConnect: AddressGuard,
  lookUp: LookUp,
): Promise<{ address: string; family: number }[]> {
  const addresses = await lookUp(name);
  if (addresses.length === 0 || !addresses.every((address) => mayConnect(address))) throw new AddressRefused(name);
  return addresses.map((address) => ({ address, family: isIP(address) }));
}
