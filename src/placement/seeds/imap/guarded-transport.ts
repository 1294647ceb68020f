import type { ImapTransport } from 'imapflow';
import { connect as connectPlainly, isIP, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { isPublicAddress } from '../../../engine/dns/public-address.js';
import { AddressRefused, createCheckedLookup } from '../../../webhooks/worker/guarded-connector.js';
import type { ImapWorld } from './mailbox-access.js';
import { SeedFault } from './seed-fault.js';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/**
 * Opens the sockets of IMAP sessions, to allowed addresses only: it looks a name up itself and connects to the very addresses that it has
 * checked, so that an answer of the DNS that changes a moment later changes nothing. It counts what comes in, since the library bounds a
 * response and not how many of them there are.
 */
export function guardedTransport(world: ImapWorld, { plain }: { readonly plain: boolean }): ImapTransport {
  const { lookUp, allowsPrivate, limits, ca } = world;
  const mayConnect = (address: string): boolean =>
    plain ? allowsPrivate && LOOPBACK.test(address) : allowsPrivate || isPublicAddress(address);
  const lookup = createCheckedLookup(mayConnect, lookUp);
  let read = 0;
  const count = (socket: Socket): void => {
    socket.on('data', (chunk: Buffer) => {
      read += chunk.length;
      if (read > limits.sessionBytes) socket.destroy(new SeedFault('too_much_data'));
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
