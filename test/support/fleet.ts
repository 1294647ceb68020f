import { setTimeout as delay } from 'node:timers/promises';
import { type ServiceProcess, startProcess } from './process.js';
import { testRedis } from './redis.js';

export interface FleetReply {
  readonly status: number;
  readonly text: string;
  readonly replayed: boolean;
}

/** Several processes of the built service on one database, as callers behind a load balancer meet them. */
export interface Fleet {
  /** Asks one after the other until a process answers with something else than "later", as a careful client does. */
  ask(path: string, key: string, body: object, idempotencyKey?: string): Promise<FleetReply>;
  /** Kills a random process at once and starts another in its place. */
  killOne(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Each process has a Redis of its own, so that the rate of one account is not what is measured.
 * @param environment with `LOG_LEVEL` info, or nobody hears that they listen
 */
export async function startFleet(size: number, environment: Readonly<Record<string, string>>): Promise<Fleet> {
  const start = async () => startProcess({ ...environment, REDIS_URL: (await testRedis()).url });
  const processes: (ServiceProcess | null)[] = await Promise.all(Array.from({ length: size }, start));
  let turn = 0;

  async function ask(path: string, key: string, body: object, idempotencyKey?: string): Promise<FleetReply> {
    for (;;) {
      const one = processes[turn++ % size];
      const reply = one ? await post(one.url + path, key, body, idempotencyKey).catch(() => null) : null;
      if (reply !== null && !isLater(reply.status)) return reply;
      await delay(Math.random() * 200);
    }
  }

  async function killOne(): Promise<void> {
    const place = Math.floor(Math.random() * size);
    const doomed = processes[place]!;
    doomed.kill('SIGKILL');
    processes[place] = null;
    await doomed.ended;
    processes[place] = await start();
  }

  async function stop(): Promise<void> {
    for (const one of processes) one?.kill('SIGKILL');
    await Promise.all(processes.map((one) => one?.ended));
  }

  return { ask, killOne, stop };
}

/** Rate, permit in flight, another copy of the request that runs, a process that stops. */
function isLater(status: number): boolean {
  return status === 429 || status === 409 || status === 503;
}

async function post(url: string, key: string, body: object, idempotencyKey?: string): Promise<FleetReply> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  return { status: response.status, text, replayed: response.headers.get('idempotent-replayed') === 'true' };
}

/** Does all of `count`, at most `atOnce` at a time; answers in order. */
export async function together<T>(count: number, atOnce: number, one: (i: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const i = next++;
      results[i] = await one(i);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
