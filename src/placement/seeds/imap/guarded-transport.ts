import type { ImapTransport } from 'imapflow';
import { connect as connectPlainly, isIP, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { isPublicAddress } from '../../../mail-dns/public-address.js';
import { AddressRefused, createCheckedLookup } from '../../../webhooks/worker/guarded-connector.js';
import type { ImapWorld } from './mailbox-access.js';
import { SeedFault, type SeedFaultCode } from './seed-fault.js';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/** What has come in over the connections of a session, and what may. */
export interface ReadMeter {
  readBytes: number;
  maxBytes: number;
  /** Why the connection is cut beyond it. */
  fault: SeedFaultCode;
}

/**
 * Opens the sockets of IMAP sessions, to allowed addresses only: it looks a name up itself and connects to the very addresses that it has
 * checked, so that an answer of the DNS that changes a moment later changes nothing. It counts what comes in, since the library bounds a
 * response and not how many of them there are.
 */
export function guardedTransport(
  world: ImapWorld,
  { plain }: { readonly plain: boolean },
  meter: ReadMeter,
): ImapTransport {
  const { lookUp, allowsPrivate, ca } = world;
  const mayConnect = (address: string): boolean =>
    plain ? allowsPrivate && LOOPBACK.test(address) : allowsPrivate || isPublicAddress(address);
  const lookup = createCheckedLookup(mayConnect, lookUp);
  const count = (socket: Socket): void => {
    socket.on('data', (chunk: Buffer) => {
      meter.readBytes += chunk.length;
      if (meter.readBytes > meter.maxBytes) socket.destroy(new SeedFault(meter.fault));
    });
  };
  const trust = ca === undefined ? {} : { ca };
  return {
    connect: ({ host, port, servername, secure }, onConnect) => {
      if (isIP(host) !== 0 && !mayConnect(host)) throw new AddressRefused(host);
      const name = servername === undefined ? {} : { servername };
      const socket: Socket = secure
        ? connectSecurely({ host, port, lookup, ...name, ...trust }, ready)
        : connectPlainly({ host, port, lookup }, ready);
      return socket;

      function ready(): void {
        if (!mayConnect(socket.remoteAddress ?? '')) return void socket.destroy(new AddressRefused(host));
        onConnect();
        count(socket);
      }
    },
    upgrade: (socket, { host, servername }, onSecure) => {
      const plainSocket = socket as Socket;
      plainSocket.removeAllListeners('data');
      const name = servername === undefined && isIP(host) === 0 ? host : servername;
      const secured = connectSecurely(
        { socket: plainSocket, host, ...(name === undefined ? {} : { servername: name }), ...trust },
        () => {
          onSecure();
          count(secured);
        },
      );
      return secured;
    },
  };
}
