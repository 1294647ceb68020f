import { createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { DataSource } from 'typeorm';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { Drain } from '../../src/platform/health/drain.js';
import { createFullAccount } from '../support/accounts.js';
import { createTestDatabase } from '../support/database.js';
import { startService, type TestService } from '../support/service.js';

describe('a process', () => {
  const services: TestService[] = [];
  const sinks: Server[] = [];

  afterEach(async () => {
    for (const service of services.splice(0)) await service.close();
    for (const sink of sinks.splice(0)) sink.close();
  });

  async function started(options: Parameters<typeof startService>[0] = {}): Promise<TestService> {
    const service = await startService(options);
    services.push(service);
    return service;
  }

  it('a process is alive and ready without a key', async () => {
    const { url } = await started();
    const alive = await fetch(`${url}/healthz`);
    expect([alive.status, await alive.json()]).toEqual([200, { status: 'alive' }]);
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }]);
  });

  it('a process names the part that is away, and stays alive', async () => {
    const { url, app } = await started();
    await app.get(DataSource).destroy();
    const ready = await fetch(`${url}/readyz`);
    expect(ready.status).toBe(503);
    expect(ready.headers.get('retry-after')).toBe('5');
    expect(await ready.json()).toMatchObject({ success: false, code: 'unavailable', away: ['postgresql'] });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await app.get(DataSource).initialize();
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  it('a process is not ready, and refuses requests with 503 within seconds, while Redis accepts connections and answers nothing', async () => {
    const held: Socket[] = [];
    const sink = createServer((socket) => void held.push(socket.on('error', () => socket.destroy()))).listen(
      0,
      '127.0.0.1',
    );
    sinks.push(sink);
    await once(sink, 'listening');
    const { port } = sink.address() as { port: number };
    const database = await createTestDatabase();
    onTestFinished(database.drop);
    const { liveKey } = await createFullAccount(database, { credits: 100 });
    const { url } = await started({ database, env: { redisUrl: `redis://127.0.0.1:${port}` } });
    const headers = { authorization: `Bearer ${liveKey}`, 'content-type': 'application/json' };
    const posts = { verify: { email: 'jane@example.com' }, 'verify/batch': { emails: ['jane@example.com'] } };
    const ready = fetch(`${url}/readyz`);
    await Promise.all(
      Object.entries(posts).map(async ([path, body]) => {
        const signal = AbortSignal.timeout(10_000);
        const options = { method: 'POST', headers, signal, body: JSON.stringify(body) };
        const reply = await fetch(`${url}/api/v1/${path}`, options);
        expect([path, reply.status]).toEqual([path, 503]);
        expect(await reply.json()).toMatchObject({ code: 'unavailable' });
      }),
    );
    expect((await ready).status).toBe(503);
    expect(await (await ready).json()).toMatchObject({ away: ['redis'] });
    for (const socket of held) socket.destroy();
  });

  it('a process turns new work away while it drains, and closes every connection', async () => {
    const { url, app } = await started();
    expect(await app.get(Drain).start(0)).toBe(0);
    for (const path of ['/api/v1/credits', '/readyz', '/nowhere']) {
      const reply = await fetch(`${url}${path}`);
      expect(reply.status, path).toBe(503);
      expect(reply.headers.get('retry-after'), path).toBe('5');
      expect(reply.headers.get('connection'), path).toBe('close');
      expect(await reply.json()).toMatchObject({ success: false, code: 'unavailable' });
    }
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });
});
