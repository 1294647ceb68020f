import { createRedisCommandExecutor, RedisServerState, Resp2Server } from 'js-redis-server/core';

/*
 * The embedded Redis as a process of its own: a copy of the service that joined it must not lose it when the copy that
 * started it ends. It ends by itself when the one that started it is gone and nobody has been connected for five seconds.
 */

const LONELY_SECONDS = 5;
let lonelySeconds = 0;
let server: Resp2Server | null = null;

process.once('message', ({ password, databases }: { password: string; databases: number }) => {
  const state = new RedisServerState({ requirepass: password, databaseCount: databases });
  const resp = new Resp2Server({ server: state, executor: createRedisCommandExecutor() });
  // It writes every reply by itself: with Nagle's algorithm ten commands sent at once took 40 ms instead of 2.
  resp.server.on('connection', (socket) => socket.setNoDelay(true));
  // Its own `listen` would open the port on every interface.
  resp.server.listen(0, '127.0.0.1', () => process.send!({ port: resp.getPort() }));
  server = resp;
});

setInterval(() => {
  if (process.connected) return;
  if (server === null) process.exit();
  server.server.getConnections((_error, connections) => {
    lonelySeconds = connections === 0 ? lonelySeconds + 1 : 0;
    if (lonelySeconds >= LONELY_SECONDS) process.exit();
  });
}, 1_000);
