import type { Redis } from 'ioredis';
import { openRedis } from '../redis/redis.js';

/** A server that answers nothing is left after it. */
const QUIT_WITHIN_MS = 2_000;

type ClientType = 'client' | 'subscriber' | 'bclient';

/** The connections of Bull: one for commands and one for events, shared by all queues, and a blocking one for each queue. */
export class QueueClients {
  private readonly shared = new Map<ClientType, Redis>();
  private readonly all: Redis[] = [];

  constructor(private readonly url: string) {}

  /** Bull's `createClient`. */
  readonly create = (type: ClientType): Redis => {
    const client = this.shared.get(type) ?? this.connect(type);
    if (type !== 'bclient') this.shared.set(type, client);
    return client;
  };

  /** Call when the queues are closed. */
  async close(): Promise<void> {
    await Promise.all(this.all.map((client) => client.quit().catch(() => client.disconnect())));
  }

  private connect(type: ClientType): Redis {
    const client = openRedis(this.url, {
      connectionName: `mailsonde queue ${type}`,
      // Told a moment after the connection is there, when a subscriber may say nothing else any more.
      disableClientInfo: true,
      // Whoever adds a job is told within a second that Redis is away; the other two wait for it, as Bull demands.
      maxRetriesPerRequest: type === 'client' ? 3 : null,
      enableReadyCheck: type === 'client',
      retryStrategy: (attempt) => Math.min(attempt * 50, 1_000),
    });
    if (type === 'bclient') adaptBlocking(client);
    letGoOfWaiting(client);
    this.all.push(client);
    return client;
  }
}

/**
 * Who waits in Bull for a connection that is closed before it was ready is rejected with nothing, and Bull catches that
 * nowhere: at a stop without Redis the process would end by an unhandled rejection. So those who wait are let go first.
 */
function letGoOfWaiting(client: Redis): void {
  const disconnect = client.disconnect.bind(client);
  const quit = client.quit.bind(client);
  const letGo = () => {
    if (client.status === 'ready') return;
    for (const listener of client.listeners('end')) {
      if (listener.name === 'handleEnd') client.off('end', listener as () => void);
    }
  };
  client.disconnect = (reconnect) => {
    letGo();
    disconnect(reconnect);
  };
  client.quit = () => {
    letGo();
    const giveUp = setTimeout(() => client.disconnect(), QUIT_WITHIN_MS);
    return quit().finally(() => clearTimeout(giveUp));
  };
}

function adaptBlocking(client: Redis): void {
  // BRPOPLPUSH by its current name (deprecated since Redis 6.2, missing in js-redis-server): one path for every Redis.
  const brpoplpush = (source: string, destination: string, timeoutSeconds: number) =>
    client.blmove(source, destination, 'RIGHT', 'LEFT', timeoutSeconds);
  client.brpoplpush = brpoplpush;
  // Bull names the connection and looks at nothing that comes of it (4.16.5, setWorkerName): closed before the answer, at a stop right after
  // the start, that would be an unhandled rejection.
  const name = client.client.bind(client) as (...values: unknown[]) => Promise<unknown>;
  client.client = ((...values: unknown[]) => name(...values).catch(() => null)) as typeof client.client;
  // Bull says QUIT when it stops, which waits behind the blocking call, and the call still takes a job meanwhile.
  client.quit = () => {
    client.disconnect();
    return Promise.resolve('OK');
  };
}
