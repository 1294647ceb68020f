import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { onReplyEnd } from '../reply-end.js';

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
