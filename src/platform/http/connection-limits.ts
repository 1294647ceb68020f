import type { Server, IncomingMessage, ServerResponse } from 'node:http';
import { BlockList, isIPv6, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Env } from '../config/env.js';
import { AppError } from '../errors/app-error.js';
import { rawReply } from './raw-reply.js';
import { onReplyEnd } from './reply-end.js';

/**
 * Bounds the open connections of each client network. The limits of keys come too late for a client that opens connections and
 * sends nothing. Behind a trusted proxy all clients share the proxy's connections, which it has to bound itself.
 * @param networkOf the network for which an address counts
 */
export function limitConnections(
  server: Server,
  { connectionsPerClient, trustedProxies }: Pick<Env, 'connectionsPerClient' | 'trustedProxies'>,
  networkOf: (address: string) => string,
): void {
  const proxies = toBlockList(trustedProxies);
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    // A connection without an address is closed already.
    if (socket.remoteAddress === undefined) return;
    const address = ipaddr.process(socket.remoteAddress).toString();
    if (proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) return;
    const network = networkOf(address);
    const count = (open.get(network) ?? 0) + 1;
    if (count > connectionsPerClient) return refuse(socket);
    open.set(network, count);
    socket.once('close', () => {
      const left = open.get(network)! - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  });
}

/** The refused connection is not read. */
function refuse(socket: Socket): void {
  socket.write(rawReply(new AppError('rate_limited', { message: MESSAGE, retryAfterSeconds: 1 })));
  socket.destroySoon();
}

function toBlockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address, prefix] = ipaddr.parseCIDR(
      network.includes('/') ? network : `${network}/${isIPv6(network) ? 128 : 32}`,
    );
    list.addSubnet(address.toString(), prefix, address.kind());
  }
  return list;
}

const MESSAGE = 'Too many open connections from your network: use fewer, and keep them alive.';

/** Requests of one connection that may wait for their replies; browsers and HTTP libraries send one at a time. */
const MAX_PENDING = 32;

/**
 * Ends a connection that sends requests without waiting for replies (RFC 9112 section 9.3.2 lets a server refuse that): one read
 * may hold thousands of them, and no other limit counts by connection. The caller calls it when the application listens to
 * `request`.
 */
export function limitPipelining(server: Server): void {
  const pending = new WeakMap<Socket, number>();
  const listeners = server.listeners('request') as ((request: IncomingMessage, reply: ServerResponse) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, reply: ServerResponse) => {
    const { socket } = request;
    // The parser still emits requests that it has read already.
    if (socket.destroyed) return;
    const count = (pending.get(socket) ?? 0) + 1;
    if (count > MAX_PENDING) return void socket.destroy();
    pending.set(socket, count);
    onReplyEnd(request, reply, () => pending.set(socket, pending.get(socket)! - 1));
    for (const listener of listeners) listener.call(server, request, reply);
  });
}
