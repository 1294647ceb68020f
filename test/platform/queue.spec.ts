import 'reflect-metadata';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { getQueueToken, Process, Processor } from '@nestjs/bull';
import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import Bull, { type Job, type Queue } from 'bull';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { QueueClients } from '../../src/platform/queue/queue-clients.js';
import { QueueModule } from '../../src/platform/queue/queue.module.js';
import { WorkNotifier } from '../../src/platform/queue/work-notifier.js';
import { testRedis } from '../support/redis.js';

const QUEUE = 'letters';

interface Work {
  readonly v: number;
  readonly id: number;
}

/** What the processors of all copies of a test were given, in order. */
const given: Job<Work>[] = [];
let work: (job: Job<Work>) => unknown;

@Processor(QUEUE)
class Worker {
  @Process({ name: 'work', concurrency: 5 })
  async run(job: Job<Work>): Promise<unknown> {
    given.push(job);
    return work(job);
  }
}

@Module({ providers: [Worker] })
class WorkerModule {}

const apps: INestApplicationContext[] = [];
let url: string;

beforeEach(async () => {
  given.length = 0;
  work = () => undefined;
  ({ url } = await testRedis());
});

afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

async function startApp(redisUrl: string, ...modules: (typeof WorkerModule)[]): Promise<Queue<Work>> {
  @Module({ imports: [QueueModule.register(redisUrl, [QUEUE]), ...modules] })
  class App {}
  const app = await NestFactory.createApplicationContext(App, { logger: false });
  apps.push(app);
  return app.get<Queue<Work>>(getQueueToken(QUEUE), { strict: false });
}

/** A Redis that answers nothing any more from the first such command of a connection on. */
async function startProxy(redisUrl: string, last: RegExp): Promise<{ url: string; isSilent: Promise<unknown> }> {
  const { hostname, port, pathname } = new URL(redisUrl);
  const server = createServer((client) => {
    const redis = connect(Number(port), hostname);
    let isSilent = false;
    client.on('data', (sent) => {
      isSilent ||= last.test(sent.toString());
      if (isSilent) server.emit('silent');
      redis.write(sent);
    });
    redis.on('data', (answer) => void (isSilent || client.write(answer)));
    for (const socket of [client, redis]) socket.on('error', () => undefined);
    client.on('close', () => redis.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port: own } = server.address() as AddressInfo;
  return { url: `redis://127.0.0.1:${own}${pathname}`, isSilent: once(server, 'silent') };
}

const add = (queue: Queue<Work>, id: number) => queue.add('work', { v: 1, id });
/** Not `job.finished()`, which misses a job that is done and forgotten before it listens. */
async function settled(queue: Queue<Work>): Promise<void> {
  const open = async () => {
    const { waiting, active, delayed } = await queue.getJobCounts();
    return waiting + active + delayed;
  };
  await expect.poll(open).toBe(0);
}
const ids = () => given.map((job) => job.data.id);

describe('queues', () => {
  it('a queue hands a job to its processor, and forgets the job when it is done', async () => {
    const queue = await startApp(url, WorkerModule);
    const job = await add(queue, 7);
    await settled(queue);
    expect(given.map((one) => one.data)).toEqual([{ v: 1, id: 7 }]);
    expect(await queue.getJob(job.id)).toBeNull();
  });

  it('a queue hands each of many jobs to one of two workers on the same Redis', async () => {
    const queue = await startApp(url, WorkerModule);
    await startApp(url, WorkerModule);
    const wanted = Array.from({ length: 200 }, (_, id) => id);
    await queue.addBulk(wanted.map((id) => ({ name: 'work', data: { v: 1, id } })));
    await expect.poll(() => given.length >= 200).toBe(true);
    expect(ids().sort((a, b) => a - b)).toEqual(wanted);
  });

  it('a job wakes a waiting worker sooner than the worker would look by itself', async () => {
    const queue = await startApp(url, WorkerModule);
    await add(queue, 1);
    await expect.poll(() => given.length === 1).toBe(true);
    const startedAt = Date.now();
    await add(queue, 2);
    await expect.poll(() => given.length === 2).toBe(true);
    expect(Date.now() - startedAt).toBeLessThan(4_000);
  });

  it('a service that stops waits for its running job and leaves the next one to others', async () => {
    const queue = await startApp(url, WorkerModule);
    let finish = (): void => undefined;
    let ended = false;
    work = async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      ended = true;
    };
    await add(queue, 1);
    await expect.poll(() => given.length === 1).toBe(true);
    const closing = apps.splice(0)[0]!.close();
    await expect.poll(() => queue.isPaused(true)).toBe(true);
    const other = await startApp(url);
    await add(other, 2);
    expect(ended).toBe(false);
    finish();
    await closing;
    expect(ended).toBe(true);
    expect(ids()).toEqual([1]);
    expect(await other.getWaitingCount()).toBe(1);
  });

  it('Redis gives no job to a worker that has gone while it waited', async () => {
    const [gone, present] = [new Redis(url), new Redis(url)];
    const id = await gone.client('ID');
    const waits = [1, 2, 3].map(() => gone.blmove('waiting', 'taken', 'RIGHT', 'LEFT', 60));
    gone.disconnect();
    await Promise.allSettled(waits);
    const isListed = async () => ((await present.client('LIST')) as string).includes(`id=${id} `);
    await expect.poll(async () => !(await isListed())).toBe(true);
    await present.lpush('waiting', 'job');
    expect(await present.lrange('waiting', 0, -1)).toEqual(['job']);
    present.disconnect();
  });

  it('a service that stops leaves no connection behind', async () => {
    const [, database] = /\/(\d+)$/.exec(url)!;
    await startApp(url, WorkerModule);
    const watcher = new Redis(url);
    const connections = async () =>
      ((await watcher.client('LIST')) as string).split('\n').filter((line) => line.includes(` db=${database} `)).length;
    await expect.poll(async () => (await connections()) === 4).toBe(true);
    await apps.splice(0)[0]!.close();
    await expect.poll(async () => (await connections()) === 1).toBe(true);
    watcher.disconnect();
  });

  it('a connection may be closed before Redis has heard its name', async () => {
    // Answers the name that the client gives by itself, and nothing after it.
    const server = createServer((socket) =>
      socket
        .on('error', () => undefined)
        .once('data', () => socket.write('+OK\r\n'))
        .resume(),
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    const client = new QueueClients(`redis://127.0.0.1:${(server.address() as AddressInfo).port}`).create('bclient');
    await once(client, 'ready');
    const named = client.client('SETNAME', 'worker');
    await client.quit();
    expect(await named).toBeNull();
  });

  it('a service may stop before Redis has answered what its queues ask at the start', async () => {
    const silent = await startProxy(url, /\nsubscribe\r/i);
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    onTestFinished(() => void process.off('unhandledRejection', note));
    await startApp(silent.url, WorkerModule);
    await silent.isSilent;
    await apps.splice(0)[0]!.close();
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).toEqual([]);
  });

  it('queues in two databases of one Redis do not hear each other', async () => {
    const queue = await startApp(url, WorkerModule);
    const elsewhere = await startApp((await testRedis()).url);
    const heard: unknown[] = [];
    elsewhere.on('global:completed', (id) => heard.push(id));
    await elsewhere.isReady();
    const heardHere: unknown[] = [];
    queue.on('global:completed', (id) => heardHere.push(id));
    await queue.isReady();
    await add(queue, 1);
    await expect.poll(() => heardHere.length === 1).toBe(true);
    expect(heard).toEqual([]);
    expect(await elsewhere.getJobCounts()).toMatchObject({ waiting: 0, active: 0, completed: 0 });
  });
});

describe('the notifier', () => {
  const notifier = () => apps[0]!.get(WorkNotifier);

  it('the notifier wakes one worker for each that finds something to do', async () => {
    const queue = await startApp(url);
    await notifier().notify(QUEUE, 3);
    expect(await queue.getWaitingCount()).toBe(3);
  });

  it('the notifier adds no job while as many wait already', async () => {
    const queue = await startApp(url);
    await notifier().notify(QUEUE, 2);
    await notifier().notify(QUEUE);
    await notifier().notify(QUEUE, 1_000);
    expect(await queue.getWaitingCount()).toBe(64);
  });

  it('the notifier makes one job of notifications that come while one is under way', async () => {
    const queue = await startApp(url);
    await Promise.all(Array.from({ length: 20 }, () => notifier().notify(QUEUE)));
    expect(await queue.getWaitingCount()).toBe(1);
  });

  it('the notifier does not reject when the queue cannot be reached', async () => {
    await startApp(url);
    const found = notifier();
    await apps.splice(0)[0]!.close();
    await expect(found.notify(QUEUE)).resolves.toBeUndefined();
  });

  it('the notifier notifies nobody in a program without queues', async () => {
    await expect(new WorkNotifier([]).notify(QUEUE)).resolves.toBeUndefined();
  });
});

describe('a Redis that accepts and never answers', () => {
  it('a Redis that accepts and never answers keeps no caller who notifies workers waiting for more than two seconds', async () => {
    const mute = createServer((socket) => socket.on('error', () => undefined));
    await once(mute.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void mute.close());
    const { port } = mute.address() as AddressInfo;
    const clients = new QueueClients(`redis://127.0.0.1:${port}`);
    const queue = new Bull(QUEUE, { createClient: clients.create });
    queue.on('error', () => undefined);
    onTestFinished(() => void clients.close());
    const startedAt = performance.now();
    const notifier = new WorkNotifier([queue]);
    await Promise.all([notifier.notify(QUEUE), notifier.notify(QUEUE)]);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });

  it('a Redis that accepts and never answers rejects commands that a worker sends once it hangs', async () => {
    const clients = new QueueClients(url);
    onTestFinished(() => clients.close());
    const client = clients.create('client') as Redis;
    await client.ping();
    // What comes is not read any more, as if nothing came.
    client.stream.pause();
    await expect(client.ping()).rejects.toThrow('timed out');
  });
});
