import { connect as connectPlainly, isIP, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { ImapTransport } from 'imapflow';
import type { Timer } from '../../../platform/clock.js';
import {
  AddressRefused,
  createCheckedLookup,
  type AddressLookup,
} from '../../../platform/outbound/guarded-connector.js';
import { isPublicAddress } from '../../../mail-dns/public-address.js';
import { SeedFault, type SeedFaultCode } from './seed-fault.js';

/** How a connection is protected: from its first byte, by STARTTLS before anything secret is said, or not at all, to loopback only. */
export const SECURITIES = ['tls', 'starttls', 'none'] as const;
export type Security = (typeof SECURITIES)[number];

/** Where a mailbox is, and what opens it. */
export interface MailboxAccess {
  readonly host: string;
  readonly port: number;
  readonly security: Security;
  readonly user: string;
  readonly secret: { readonly password: string } | { readonly accessToken: string };
}

/** What a server may take of us, whatever it does. */
export const IMAP_LIMITS = {
  connectMs: 10_000,
  /** From a question to its whole answer. */
  callMs: 20_000,
  sessionMs: 90_000,
  responseBytes: 1_048_576,
  /** Five hundred folders and more, though a mailbox for tests has a dozen; the library takes 40 µs for each in one go. */
  listBytes: 65_536,
  sessionBytes: 16_777_216,
};

export type ImapLimits = Readonly<typeof IMAP_LIMITS>;

/** What a session needs of the world. */
export interface ImapEnvironment {
  readonly lookUp: AddressLookup;
  /** Whether private addresses may be connected to, and loopback without TLS. */
  readonly allowsPrivate: boolean;
  readonly limits: ImapLimits;
  readonly timer: Timer;
  /** In tests: who else may sign a server's certificate. */
  readonly ca?: string;
}

/** Nest token of the `ImapEnvironment`. */
export const IMAP_ENVIRONMENT = Symbol('IMAP_ENVIRONMENT');

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
  world: ImapEnvironment,
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
