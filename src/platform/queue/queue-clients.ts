import { openRedis, type RedisClient } from '../redis/redis.js';

/** The time in which Redis answers, or the caller goes on without. */
const ANSWER_WITHIN_MS = 2_000;
/** The time after which a silent server is given up. */
const QUIT_WITHIN_MS = 2_000;

type ClientType = 'client' | 'subscriber' | 'bclient';

/** The connections of Bull: one for commands and one for events, shared by all queues, and a blocking one for each queue. */
export class QueueClients {
  private readonly shared = new Map<ClientType, RedisClient>();
  private readonly all: RedisClient[] = [];

  constructor(private readonly url: string) {}

  /** Bull's `createClient`. */
  readonly create = (type: ClientType): RedisClient => {
    const client = this.shared.get(type) ?? this.connect(type);
    if (type !== 'bclient') this.shared.set(type, client);
    return client;
  };

  /** Call when the queues are closed. */
  async close(): Promise<void> {
    await Promise.all(this.all.map((client) => client.quit().catch(() => client.disconnect())));
  }

  private connect(type: ClientType): RedisClient {
    const client = openRedis(this.url, {
      connectionName: `mailsonde queue ${type}`,
      // ioredis would send it a moment after the connect, when a subscriber may send no other command any more.
      disableClientInfo: true,
      // A caller that adds a job learns within a second that Redis is away; the other two clients wait for Redis, as Bull
      // demands.
      maxRetriesPerRequest: type === 'client' ? 3 : null,
      ...(type === 'client' && { commandTimeout: ANSWER_WITHIN_MS }),
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
 * Resolves Bull's waits for a connection before it is closed. A close before the connection was ready rejects them with
 * undefined, which Bull catches nowhere: at a stop without Redis the process would end by an unhandled rejection.
 */
function letGoOfWaiting(client: RedisClient): void {
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

function adaptBlocking(client: RedisClient): void {
  // BRPOPLPUSH by its current name (deprecated since Redis 6.2, missing in js-redis-server): one path for every Redis.
  const brpoplpush = (source: string, destination: string, timeoutSeconds: number) =>
    client.blmove(source, destination, 'RIGHT', 'LEFT', timeoutSeconds);
  client.brpoplpush = brpoplpush;
  // Bull names the connection and ignores the outcome (4.16.5, setWorkerName): a close before the answer, at a stop right after
  // the start, would be an unhandled rejection.
  const name = client.client.bind(client) as (...values: unknown[]) => Promise<unknown>;
  client.client = ((...values: unknown[]) => name(...values).catch(() => null)) as typeof client.client;
  // Bull sends QUIT when it stops. That waits behind the blocking call, which may still take a job meanwhile.
  client.quit = () => {
    client.disconnect();
    return Promise.resolve('OK');
  };
}
