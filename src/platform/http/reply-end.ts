import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Acts of a reply that has not ended. */
const replies = new WeakMap<ServerResponse, Set<() => void>>();
/** Ends of the replies of a connection that have not ended. */
const connections = new WeakMap<Socket, Set<() => void>>();

/**
 * Acts once, when the reply has been sent or its caller has gone. Node emits no event for a reply that waits behind another one
 * of a pipelining caller when their connection ends.
 */
export function onReplyEnd({ socket }: IncomingMessage, reply: ServerResponse, act: () => void): void {
  if (reply.closed) return void setImmediate(act);
  const acts = replies.get(reply);
  if (acts) acts.add(act);
  else watchReply(socket, reply).add(act);
}

/** One listener a reply: Node warns of more than ten, and a stream that is sent has its own. */
function watchReply(socket: Socket, reply: ServerResponse): Set<() => void> {
  const acts = new Set<() => void>();
  replies.set(reply, acts);
  const ends = connections.get(socket) ?? watchConnection(socket);
  const end = () => {
    ends.delete(end);
    replies.delete(reply);
    for (const act of acts) act();
    acts.clear();
  };
  ends.add(end);
  reply.once('close', end);
  if (socket.closed) setImmediate(end);
  return acts;
}

/** One listener a connection, however many requests it brings. */
function watchConnection(socket: Socket): Set<() => void> {
  const ends = new Set<() => void>();
  connections.set(socket, ends);
  socket.once('close', () => {
    for (const end of ends) end();
  });
  return ends;
}
