import 'reflect-metadata';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { getQueueToken, Process, Processor } from '@nestjs/bull';
import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Job, JobOptions, Queue } from 'bull';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { until } from '../../src/platform/embedded/processes.js';
import { QUEUES } from '../../src/platform/queue/jobs.js';
import { QueueClients } from '../../src/platform/queue/queue-clients.js';
import { QueueModule } from '../../src/platform/queue/queue.module.js';
import { testRedis } from '../support/redis.js';

interface Work {
  readonly v: number;
  readonly id: number;
}

/** What the processors of all copies of a test were given, in order. */
const given: Job<Work>[] = [];
let work: (job: Job<Work>) => unknown;

@Processor(QUEUES.maintenance)
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
  @Module({ imports: [QueueModule.register(redisUrl), ...modules] })
  class App {}
  const app = await NestFactory.createApplicationContext(App, { logger: false });
  apps.push(app);
  return app.get<Queue<Work>>(getQueueToken(QUEUES.maintenance), { strict: false });
}

const add = (queue: Queue<Work>, id: number, options?: JobOptions) => queue.add('work', { v: 1, id }, options);
/** Not `job.finished()`, which misses a job that is done and forgotten before it listens. */
const settled = (queue: Queue<Work>) =>
  until(async () => {
    const { waiting, active, delayed } = await queue.getJobCounts();
    return waiting + active + delayed === 0;
  }, 10_000);
const ids = () => given.map((job) => job.data.id);

describe('queues', () => {
  it('hand a job to its processor, with its payload, and forget it when it is done', async () => {
    const queue = await startApp(url, WorkerModule);
    const job = await add(queue, 7);
    await settled(queue);
    expect(given.map((one) => one.data)).toEqual([{ v: 1, id: 7 }]);
    expect(await queue.getJob(job.id)).toBeNull();
  });

  it('hand each of many jobs to one worker only, with two workers on the same Redis', async () => {
    const queue = await startApp(url, WorkerModule);
    await startApp(url, WorkerModule);
    const wanted = Array.from({ length: 200 }, (_, id) => id);
    await queue.addBulk(wanted.map((id) => ({ name: 'work', data: { v: 1, id } })));
    expect(await until(() => given.length >= 200, 15_000)).toBe(true);
    expect(ids().sort((a, b) => a - b)).toEqual(wanted);
  });

  it('wake a worker that waits, sooner than it would look by itself', async () => {
    const queue = await startApp(url, WorkerModule);
    await add(queue, 1);
    expect(await until(() => given.length === 1, 5_000)).toBe(true);
    const startedAt = Date.now();
    await add(queue, 2);
    expect(await until(() => given.length === 2, 5_000)).toBe(true);
    expect(Date.now() - startedAt).toBeLessThan(4_000);
  });

  it('hold a delayed job back until its time', async () => {
    const queue = await startApp(url, WorkerModule);
    const delayed = await add(queue, 1, { delay: 400 });
    await add(queue, 2);
    await settled(queue);
    expect(ids()).toEqual([2, 1]);
    expect(given[1]!.processedOn! - delayed.timestamp).toBeGreaterThanOrEqual(400);
  });

  it('give a job that failed again, after its backoff, as often as it may be tried', async () => {
    const queue = await startApp(url, WorkerModule);
    work = (job) => {
      if (job.attemptsMade < 2) throw new Error('not yet');
    };
    await add(queue, 1, { attempts: 3, backoff: 100 });
    await settled(queue);
    expect(ids()).toEqual([1, 1, 1]);
  });

  it('keep a job that always fails, with its reason', async () => {
    const queue = await startApp(url, WorkerModule);
    work = () => {
      throw new Error('never');
    };
    const job = await add(queue, 1, { attempts: 2 });
    await settled(queue);
    expect(await queue.getJob(job.id)).toMatchObject({ failedReason: 'never', attemptsMade: 2 });
    expect(await queue.getFailedCount()).toBe(1);
    expect(ids()).toEqual([1, 1]);
  });

  it('repeat a job, once for all who ask for it', async () => {
    const queue = await startApp(url, WorkerModule);
    const other = await startApp(url, WorkerModule);
    const options: JobOptions = { repeat: { every: 100 }, jobId: 'sweep' };
    await Promise.all([add(queue, 1, options), add(other, 1, options)]);
    expect(await queue.getRepeatableJobs()).toHaveLength(1);
    expect(await until(() => given.length >= 4, 5_000)).toBe(true);
    const times = given.map((job) => job.timestamp + (job.opts.delay ?? 0));
    expect(new Set(times).size).toBe(times.length);
  });

  it('wait for the running job when the service stops, and leave the next one to others', async () => {
    const queue = await startApp(url, WorkerModule);
    let finish = (): void => undefined;
    let ended = false;
    work = async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      ended = true;
    };
    await add(queue, 1);
    await until(() => given.length === 1, 5_000);
    const closing = apps.splice(0)[0]!.close();
    await until(() => queue.isPaused(true), 5_000);
    const other = await startApp(url);
    await add(other, 2);
    expect(ended).toBe(false);
    finish();
    await closing;
    expect(ended).toBe(true);
    expect(ids()).toEqual([1]);
    expect(await other.getWaitingCount()).toBe(1);
  });

  it('give no job to a worker that has gone while it waited', async () => {
    const [gone, present] = [new Redis(url), new Redis(url)];
    const id = await gone.client('ID');
    const waits = [1, 2, 3].map(() => gone.blmove('waiting', 'taken', 'RIGHT', 'LEFT', 60));
    gone.disconnect();
    await Promise.allSettled(waits);
    const isListed = async () => ((await present.client('LIST')) as string).includes(`id=${id} `);
    expect(await until(async () => !(await isListed()), 5_000)).toBe(true);
    await present.lpush('waiting', 'job');
    expect(await present.lrange('waiting', 0, -1)).toEqual(['job']);
    present.disconnect();
  });

  it('leave no connection behind', async () => {
    const [, database] = /\/(\d+)$/.exec(url)!;
    await startApp(url, WorkerModule);
    const watcher = new Redis(url);
    const connections = async () =>
      ((await watcher.client('LIST')) as string).split('\n').filter((line) => line.includes(` db=${database} `)).length;
    expect(await until(async () => (await connections()) === 4, 5_000)).toBe(true);
    await apps.splice(0)[0]!.close();
    expect(await until(async () => (await connections()) === 1, 5_000)).toBe(true);
    watcher.disconnect();
  });

  it('may be left before Redis has heard the name of a connection', async () => {
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

  it('of two databases of one Redis do not hear each other', async () => {
    const queue = await startApp(url, WorkerModule);
    const elsewhere = await startApp((await testRedis()).url);
    const heard: unknown[] = [];
    elsewhere.on('global:completed', (id) => heard.push(id));
    await elsewhere.isReady();
    const heardHere: unknown[] = [];
    queue.on('global:completed', (id) => heardHere.push(id));
    await queue.isReady();
    await add(queue, 1);
    expect(await until(() => heardHere.length === 1, 5_000)).toBe(true);
    expect(heard).toEqual([]);
    expect(await elsewhere.getJobCounts()).toMatchObject({ waiting: 0, active: 0, completed: 0 });
  });
});
