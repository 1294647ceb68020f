import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const waiting = new WeakMap<Socket, Set<() => void>>();

/**
 * Acts once, when the reply has been sent or its caller has gone. Node emits no event for a reply that waits behind another one
 * of a pipelining caller when their connection ends.
 */
export function onReplyEnd({ socket }: IncomingMessage, reply: ServerResponse, act: () => void): void {
  const ends = waiting.get(socket) ?? watch(socket);
  const end = () => {
    if (ends.delete(end)) act();
  };
  ends.add(end);
  reply.once('close', end);
  if (socket.closed) setImmediate(end);
}

/** One listener a connection, however many requests it brings. */
function watch(socket: Socket): Set<() => void> {
  const ends = new Set<() => void>();
  waiting.set(socket, ends);
  socket.once('close', () => {
    for (const end of ends) end();
  });
  return ends;
}
