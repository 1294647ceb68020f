import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { createFullAccount } from '../support/accounts.js';
import { createTestDatabase } from '../support/database.js';
import { startProcess } from '../support/process.js';
import { chunk, head } from '../support/raw-exchange.js';
import { testRedis } from '../support/redis.js';
import { nextLook } from '../support/next-look.js';

/** Throws where nobody catches it, whenever the process is sent the signal. */
const FAULT = 'process.on("SIGUSR2",()=>{throw new Error("a fault of ours")})';

it('an exception that nobody caught ends the process with 1, after the requests that run, however often it comes', async () => {
  const database = await createTestDatabase();
  const { testKey } = await createFullAccount(database);
  const service = await startProcess({
    DATABASE_URL: database.url,
    REDIS_URL: (await testRedis()).url,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(FAULT)}`,
  });
  const faults = () => service.output().split('"level":"fatal"').length - 1;
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  let text = '';
  socket.on('data', (piece) => (text += piece.toString()));
  const upload = { Authorization: `Bearer ${testKey}`, 'Content-Type': 'text/csv', 'Transfer-Encoding': 'chunked' };
  socket.write(head('POST /api/v1/verify/batch', { ...upload, Expect: '100-continue' }));
  while (!text.includes('100 Continue')) await once(socket, 'data');

  for (let times = 1; times <= 3; times++) {
    service.kill('SIGUSR2');
    while (faults() < times) await nextLook();
  }
  for (const path of ['/readyz', '/api/v1/credits']) expect((await fetch(service.url + path)).status, path).toBe(503);
  socket.write(`${chunk('email\nvalid@a.example\n')}0\r\n\r\n`);
  await once(socket, 'close');
  expect(text).toMatch(/HTTP\/1\.1 201 [^]*connection: close[^]*"status":"queued"/i);
  expect(await service.ended).toBe(1);
  await database.drop();
});
