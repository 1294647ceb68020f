import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Controller, Get, Global, Logger, Module, type OnModuleDestroy } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createHttpApp, stopHttpApp } from '../../src/http.js';
import { ClockModule } from '../../src/platform/clock.module.js';
import { EDGE_PIPELINE } from '../../src/request-pipeline.js';
import { Drain } from '../../src/platform/health/drain.js';
import { held } from '../support/held.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { runProcess, startProcess } from '../support/process.js';
import { exchange, head } from '../support/raw-exchange.js';
import { testRedis } from '../support/redis.js';

describe('a stop', () => {
  let app: NestFastifyApplication;
  let url: string;
  let entered: Promise<void>;
  let release: () => void;
  let start: () => Promise<void>;
  /** What the rooms do once they are asked to end. */
  let endWork: () => Promise<void>;

  async function ask(path: string, agent: Agent) {
    const request = get(url + path, { agent });
    const [reply] = (await once(request, 'response')) as [IncomingMessage];
    return {
      status: reply.statusCode,
      headers: reply.headers,
      body: await text(reply),
      isReused: request.reusedSocket,
    };
  }

  beforeEach(async () => {
    endWork = () => Promise.resolve();
    let enter: () => void;
    entered = new Promise((resolve) => (enter = resolve));
    const released = new Promise<void>((resolve) => (release = resolve));

    @Controller()
    class SlowController implements OnModuleDestroy {
      onModuleDestroy(): Promise<void> {
        return endWork();
      }

      @Get('slow')
      async slow(): Promise<{ done: boolean }> {
        enter();
        await released;
        return { done: true };
      }
    }

    @Global()
    @Module({
      imports: [ClockModule],
      controllers: [SlowController],
      providers: [Drain, ...EDGE_PIPELINE],
      exports: [Drain],
    })
    class SlowModule {}

    start = async () => {
      app = await createHttpApp(SlowModule, { trustedProxies: [] }, false);
      await app.listen(0, '127.0.0.1');
      url = await app.getUrl();
    };
    await start();
  });

  it('a stop refuses new requests with 503 on kept and new connections, and finishes what runs', async () => {
    const kept = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => kept.destroy());
    expect((await ask('/nothing', kept)).status).toBe(404);
    const running = fetch(`${url}/slow`);
    await entered;
    const stopped = stopHttpApp(app, new Logger());
    for (const agent of [kept, new Agent()]) {
      const { status, headers, body, isReused } = await ask('/slow', agent);
      expect([status, JSON.parse(body).code, isReused]).toEqual([503, 'unavailable', agent === kept]);
      expect([headers['retry-after'], headers['connection']]).toEqual(['5', 'close']);
    }
    release();
    const reply = await running;
    expect([reply.status, await reply.json()]).toEqual([200, { done: true }]);
    expect(reply.headers.get('connection')).toBe('close');
    await stopped;
  });

  it('a stop refuses new requests with 503 until the rooms have ended their work', async () => {
    const [ending, end] = [held<void>(), held<void>()];
    endWork = () => {
      ending.resolve();
      return end.promise;
    };
    const stopped = stopHttpApp(app, new Logger());
    await ending.promise;
    expect((await fetch(`${url}/slow`)).status).toBe(503);
    end.resolve();
    await stopped;
    await expect(fetch(`${url}/slow`)).rejects.toThrow();
  });

  it('a stop counts the work of a caller who hung up as running, until it ends', async () => {
    const hangUp = new AbortController();
    const running = fetch(`${url}/slow`, { signal: hangUp.signal });
    await entered;
    hangUp.abort();
    await expect(running).rejects.toThrow();
    expect(await app.get(Drain).start(20)).toBe(1);
    const finished = app.get(Drain).start(60_000);
    release();
    expect(await finished).toBe(0);
    await app.close();
  });

  it('a stop does not wait for a reply that waits behind another one when their connection is gone', async () => {
    const get = head('GET /slow', {});
    const gone = exchange(url, [get + get], { finish: (socket) => void entered.then(() => socket.resetAndDestroy()) });
    await gone;
    release();
    await stopHttpApp(app, new Logger(), 10_000);
    expect(await app.get(Drain).start(0)).toBe(0);
  });

  it.each([
    ['sends nothing', '', false],
    ['has sent half of its headers', 'GET /slow HTTP/1.1\r\nHost: a\r\n', false],
    ['was answered in the middle of its body', 'POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf', true],
  ])('a stop does not wait for a caller who %s, whoever begins it', async (_, sent, isAnswered) => {
    const closings = [() => app.close(), () => stopHttpApp(app, new Logger())];
    for (const close of closings) {
      const answers: Buffer[] = [];
      const caller = connect(Number(new URL(url).port), '127.0.0.1', () => caller.write(sent));
      const closed = new Promise((resolve) => caller.once('close', resolve));
      caller.on('data', (answer) => answers.push(answer)).on('error', () => undefined);
      const [socket] = (await once(app.getHttpServer(), 'connection')) as [Socket];
      await expect.poll(() => [socket.bytesRead, answers.length > 0]).toEqual([sent.length, isAnswered]);
      const startedAt = performance.now();
      await close();
      await closed;
      // Less than any time after which a connection is given up.
      expect(performance.now() - startedAt).toBeLessThan(8_000);
      await start();
    }
    await app.close();
  });

  it('a stop waits for what runs when it begins with the rooms, too', async () => {
    const running = fetch(`${url}/slow`);
    await entered;
    const closed = app.close();
    await expect.poll(() => app.get(Drain).isDraining).toBe(true);
    release();
    expect((await running).status).toBe(200);
    await closed;
  });

  it('a stop cuts off what does not end in time', async () => {
    const running = fetch(`${url}/slow`);
    await entered;
    const stopped = stopHttpApp(app, new Logger(), 20);
    await expect(running).rejects.toThrow();
    await stopped;
    release();
  });
});

describe('the process', () => {
  const databases: TestDatabase[] = [];

  afterEach(async () => {
    for (const database of databases.splice(0)) await database.drop();
  });

  async function ownServers(): Promise<Record<string, string>> {
    const database = await createTestDatabase();
    databases.push(database);
    return { DATABASE_URL: database.url, REDIS_URL: (await testRedis()).url };
  }

  it('the process refuses a wrong value in one line, before anything is started', async () => {
    const { exit, output } = await runProcess({ PORT: 'abc' });
    expect(exit).toBe(78);
    expect(output).toBe('PORT is "abc": allowed is a whole number from 1 to 65535.\n');
  });

  it('the process refuses a port that is taken in one line that names it, before anything is started', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { exit, output } = await runProcess({ PORT: String(port), DATABASE_URL: 'postgres://127.0.0.1:1/none' });
    taken.close();
    expect(exit).toBe(78);
    expect(output).toBe(
      `PORT is "${port}": allowed is a port that nothing else listens on (127.0.0.1:${port} is taken).\n`,
    );
  });

  it('the process warns at its start that the contact for vulnerabilities has expired', async () => {
    const service = await startProcess({
      ...(await ownServers()),
      SECURITY_CONTACT: 'https://example.com/security',
      SECURITY_EXPIRES: '2026-01-31T12:00:00Z',
    });
    const warned = service
      .output()
      .split('\n')
      .find((line) => line.includes('SECURITY_EXPIRES'));
    expect(JSON.parse(warned!)).toMatchObject({ level: 'warn', context: 'Start' });
    expect((await fetch(`${service.url}/.well-known/security.txt`)).status).toBe(404);
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });

  it('the process says where it listens, serves, and ends with 0 on SIGTERM', async () => {
    const service = await startProcess(await ownServers());
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    await expect(fetch(`${service.url}/healthz`)).rejects.toThrow();
  });

  it('the process says at a second signal what it does not wait for any longer', async () => {
    const service = await startProcess(await ownServers());
    const caller = connect(Number(new URL(service.url).port), '127.0.0.1');
    caller
      .on('error', () => undefined)
      .write(head('POST /try', { 'content-type': 'application/json', 'content-length': '9' }));
    onTestFinished(() => void caller.destroy());
    await once(caller, 'ready');
    // The request is there when a later one is answered.
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    service.kill('SIGTERM');
    await expect.poll(service.output).toContain('finishing what runs');
    let code: number | NodeJS.Signals | null = null;
    void service.ended.then((ended) => (code = ended));
    // For half a second a second signal counts as the first one.
    await expect.poll(() => code ?? service.kill('SIGTERM'), { interval: 100 }).toBe(1);
    const last = service.output().trimEnd().split('\n').at(-1)!;
    expect(JSON.parse(last)).toMatchObject({
      level: 'error',
      context: 'Stop',
      message: 'SIGTERM again: the process ends without the end of requests and connections.',
    });
  });

  it('the process writes one JSON object a line, with neither the query, the body nor an email address of a request in it', async () => {
    const service = await startProcess(await ownServers());
    await fetch(`${service.url}/agent-gateway/register?email=a@secret.example`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': 'seen', authorization: 'Bearer ms_agent_secret' },
      body: JSON.stringify({ contact: 'b@secret.example' }),
    });
    for (const id of ['c@secret.example', 'c%40secret.example'])
      await fetch(`${service.url}/agent-gateway/register`, { headers: { 'x-request-id': id } });
    service.kill('SIGTERM');
    await service.ended;
    const lines = service
      .output()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.find((line) => line['request_id'] === 'seen')).toMatchObject({
      level: 'log',
      context: 'Access',
      method: 'POST',
      route: '/agent-gateway/register',
      status: 422,
      key_id: null,
      aborted: false,
    });
    expect(service.output()).not.toMatch(/secret|127\.0\.0\.1:\d+\/[a-z]*\?|ms_agent_/);
  });
});
