/** The package is optional, and the build must not need it: these are the types that `js-redis-process.ts` uses. */
declare module 'js-redis-server/core' {
  import type { Socket } from 'node:net';

  export class RedisServerState {
    constructor(options: { requirepass: string; databaseCount: number });
    readonly requirepass?: string;
  }

  export class SocketConnectionTransport {
    constructor(socket: Socket);
    read(): AsyncIterable<Buffer>;
  }

  export function createRedisCommandExecutor(): object;

  export function attachSession(
    transport: SocketConnectionTransport,
    options: { state: RedisServerState; executor: object; clientAddress: string },
  ): { readonly session: { close(): void } };
}
