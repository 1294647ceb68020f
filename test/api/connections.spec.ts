import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startService, type TestService } from '../support/service.js';

const MOST = 5;
/** All of 127.0.0.0/8 is this machine: each address is a client of its own. */
const [HOLDER, NEIGHBOUR, PROXY] = ['127.0.0.2', '127.0.0.3', '127.0.1.4'];

let service: TestService;
let sockets: Socket[];

beforeEach(async () => {
  sockets = [];
  service = await startService({
    env: { role: 'api', connectionsPerClient: MOST, trustedProxies: ['127.0.1.0/24', '192.0.2.9', '2001:db8::/32'] },
  });
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await service.close();
});

async function open(localAddress: string): Promise<Socket> {
  const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** Everything that comes until the server ends the connection. */
async function readAll(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

async function isServed(socket: Socket): Promise<boolean> {
  socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return String(chunk).startsWith('HTTP/1.1 200 ');
}

it('a client that holds as many connections as it may gets no further one but a refusal; others do not notice', async () => {
  const held = [];
  for (let i = 0; i < MOST; i++) held.push(await open(HOLDER));
  const refused = await readAll(await open(HOLDER));
  const [head, body] = refused.split('\r\n\r\n') as [string, string];
  expect(head).toMatch(/^HTTP\/1\.1 429 Too Many Requests\r\n/);
  expect(head).toMatch(/\r\nRetry-After: 1\r\n/);
  expect(head).toMatch(/\r\nConnection: close$/);
  expect(JSON.parse(body)).toMatchObject({ success: false, code: 'rate_limited' });
  for (const socket of held) expect(await isServed(socket)).toBe(true);
  expect(await isServed(await open(NEIGHBOUR))).toBe(true);
});

it('a connection that has ended makes room for another one', async () => {
  const held = [];
  for (let i = 0; i < MOST; i++) held.push(await open(HOLDER));
  held[0]!.destroy();
  const again = async () => {
    const socket = await open(HOLDER);
    const answered = await Promise.race([isServed(socket).catch(() => false), once(socket, 'close').then(() => false)]);
    return answered;
  };
  await expect.poll(again).toBe(true);
  expect(await readAll(await open(HOLDER))).toContain(' 429 ');
});

it('a trusted proxy, whose connections are those of many clients, is not bounded', async () => {
  for (let i = 0; i < MOST * 4; i++) expect(await isServed(await open(PROXY))).toBe(true);
});

it('a connection that sends requests without waiting for replies is ended, and costs nobody else anything', async () => {
  const flood = await open(HOLDER);
  const reply = readAll(flood).catch(() => '');
  flood.write('GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2_000));
  expect((await reply).split('HTTP/1.1 404 ').length - 1).toBeLessThanOrEqual(32);
  expect(await isServed(await open(NEIGHBOUR))).toBe(true);
});

it('a connection that waits for each reply, or for a few, is served without end', async () => {
  const socket = await open(HOLDER);
  for (let i = 0; i < 100; i++) expect(await isServed(socket)).toBe(true);
  socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(15));
  socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  expect((await readAll(socket)).split('HTTP/1.1 200 ').length - 1).toBe(16);
});
