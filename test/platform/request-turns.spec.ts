import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { beginInTurns } from '../../src/platform/http/request-turns.js';

const KEY = 'Bearer one';
const OTHER = 'Bearer other';

let server: Server;
/** Keys of the requests that have begun, in their order. */
let begun: string[];

beforeEach(async () => {
  begun = [];
  server = createServer((request, reply) => {
    begun.push(request.headers.authorization ?? '');
    reply.end();
  });
  beginInTurns(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => void server.close());

const requestOf = (key: string) => `GET / HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${key}\r\n\r\n`;

/** Sends all in one write, so that the server gets them in one round of its event loop. */
async function sendAtOnce(keys: readonly string[]) {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(keys.map(requestOf).join(''));
  return socket;
}

it('A request begins before most of thirty that another key has sent before it, and all are answered', async () => {
  const socket = await sendAtOnce([...Array.from({ length: 30 }, () => KEY), OTHER]);

  let text = '';
  for await (const piece of socket) {
    text += String(piece);
    if (text.split('200 OK').length > 31) break;
  }

  expect(begun).toHaveLength(31);
  expect(begun.indexOf(OTHER)).toBeLessThan(4);
});

it('A request whose caller has gone while it waited is not begun', async () => {
  server.prependListener('request', ({ socket }) => socket.destroy());

  const socket = await sendAtOnce(Array.from({ length: 30 }, () => KEY));
  await once(socket, 'close');

  expect(begun).toEqual([]);
});
