import { on } from 'node:events';
import { createServer, type Socket } from 'node:net';
import {
  attachSession,
  createRedisCommandExecutor,
  RedisServerState,
  SocketConnectionTransport,
} from 'js-redis-server/core';

/*
 * The embedded Redis as a process of its own: a copy of the service that joined it must not lose it when the copy that
 * started it ends. It ends by itself when the one that started it is gone and nobody has been connected for five seconds.
 */

const LONELY_SECONDS = 5;
const executor = createRedisCommandExecutor();
let state: RedisServerState;
let lonelySeconds = 0;

/**
 * The package stops reading while a command blocks, and so does not see that a worker has gone, which then goes on taking jobs
 * for the rest of its BLMOVE. A socket that is always read reports its end at once, and closing ends the blocked command.
 */
class AttentiveTransport extends SocketConnectionTransport {
  constructor(private readonly source: Socket) {
    super(source);
  }

  override async *read(): AsyncGenerator<Buffer> {
    for await (const [chunk] of on(this.source, 'data', { close: ['end', 'close'] })) yield chunk as Buffer;
  }
}

// The package's own server would listen on every interface, and without a password.
const server = createServer({ keepAlive: true }, (socket) => {
  // Every reply is a write of its own: Nagle's algorithm would delay all but the first of several commands sent at once.
  socket.setNoDelay(true);
  const clientAddress = `${socket.remoteAddress}:${socket.remotePort}`;
  const { session } = attachSession(new AttentiveTransport(socket), { state, executor, clientAddress });
  socket.on('close', () => session.close());
});

process.once('message', ({ password, databases }: { password: string; databases: number }) => {
  state = new RedisServerState({ requirepass: password, databaseCount: databases });
  server.listen(0, '127.0.0.1', () => process.send!(server.address()));
});

setInterval(() => {
  if (process.connected) return;
  server.getConnections((_error, connections) => {
    lonelySeconds = connections === 0 ? lonelySeconds + 1 : 0;
    if (lonelySeconds >= LONELY_SECONDS) process.exit();
  });
}, 1_000);
