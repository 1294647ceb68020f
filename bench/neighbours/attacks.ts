import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { bodyOf } from '../batch/world.js';

/** What the hostile account has. */
export interface Hostile {
  readonly port: number;
  readonly receiverPort: number;
  /** Of a webhook sink that never answers at `/hang`. */
  readonly sinkPort: number;
  readonly liveKey: string;
  readonly testKey: string;
  /** Live keys of further accounts in the same hands. */
  readonly otherKeys: string[];
}

export type Attack = (hostile: Hostile, signal: AbortSignal) => Promise<void>;

const MEGABYTE = 1_048_576;
const agent = new Agent({ keepAlive: true, maxSockets: 400 });

/** What the attacker gets is of no interest to it: refusals, errors and answers alike. */
function send(
  { port }: Hostile,
  key: string,
  path: string,
  body: Buffer | object | null,
  type = 'application/json',
): Promise<void> {
  const bytes = body === null || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const method = bytes === null ? 'GET' : 'POST';
  const headers = {
    authorization: `Bearer ${key}`,
    ...(bytes && { 'content-type': type, 'content-length': bytes.length }),
  };
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers, agent }, (response) => {
      response.resume().on('close', resolve);
    });
    sent.on('error', () => resolve()).end(bytes);
  });
}

/** So many at once, each again and again. */
async function atOnce(
  count: number,
  signal: AbortSignal,
  act: (turn: number, number: number) => Promise<void>,
): Promise<void> {
  const again = async (number: number): Promise<void> => {
    for (let turn = 0; !signal.aborted; turn++) {
      await act(turn, number);
      // A refusal at once would make a loop of nothing else.
      await delay(5);
    }
  };
  setMaxListeners(count + 10, signal);
  await Promise.all(Array.from({ length: count }, (_, number) => again(number)));
}

const header = (type: string) =>
  Buffer.from(
    `From: News <news@sender.example>\r\nTo: you@example.com\r\nSubject: Hello\r\nDate: Sun, 29 Nov 2026 10:00:00 +0000\r\n` +
      `Message-ID: <1@sender.example>\r\nMIME-Version: 1.0\r\nContent-Type: ${type}\r\n\r\n`,
  );

const HOSTILE_MAILS: readonly Buffer[] = [
  // 6 MB of UTF-16 HTML.
  Buffer.concat([
    header('text/html; charset=utf-16le'),
    Buffer.from('<p a="b"><b><i>x</i></b>'.repeat(3 * 43_690), 'utf16le'),
  ]),
  // Carriage returns without an end.
  Buffer.concat([header('text/plain'), Buffer.alloc(9 * MEGABYTE, '\r')]),
  // Nested parts.
  Buffer.concat([
    header('multipart/mixed; boundary=a'),
    Buffer.from('--a\r\nContent-Type: text/html\r\n\r\n<a href="https://a.example/">x</a>\r\n'.repeat(100_000)),
  ]),
  // One header field of 8 MB.
  Buffer.concat([
    Buffer.from(`X-Long: ${'a =?utf-8?q?b?= '.repeat(520_000)}\r\n`),
    header('text/plain'),
    Buffer.from('x'),
  ]),
];

const unique = () => createHash('sha1').update(String(Math.random())).digest('hex').slice(0, 10);

/** Each as an account with a key can do it. */
export const ATTACKS: Readonly<Record<string, Attack>> = {
  'changes that wait for one lock': async (hostile, signal) => {
    await atOnce(150, signal, (_, number) => {
      const changes: readonly (readonly [string, object])[] = [
        ['/api/v1/keys', { name: 'one of many' }],
        ['/api/v1/erasures', { email: `${unique()}@d1.example.com` }],
        ['/api/v1/webhooks', { url: `http://127.0.0.9:${hostile.sinkPort}/hang?${unique()}` }],
      ];
      const [path, body] = changes[number % changes.length]!;
      return send(hostile, hostile.liveKey, path, body);
    });
  },

  'reads, three hundred at once': async (hostile, signal) => {
    const paths = ['/api/v1/usage', '/api/v1/verify/batch?limit=100', '/api/v1/keys?limit=100', '/api/v1/credits'];
    await atOnce(300, signal, (_, number) => send(hostile, hostile.liveKey, paths[number % paths.length]!, null));
  },

  'sixty uploads of a megabyte, with a test key': async (hostile, signal) => {
    const emails = Array.from({ length: 38_000 }, (_, i) => `ok.person${i}@d${i % 50}.example.com`);
    const body = bodyOf(emails);
    await atOnce(60, signal, () => send(hostile, hostile.testKey, '/api/v1/verify/batch', body));
  },

  'mails that are hard to read': async (hostile, signal) => {
    await atOnce(HOSTILE_MAILS.length, signal, (turn, number) =>
      send(
        hostile,
        hostile.liveKey,
        '/api/v1/placement/analyze',
        HOSTILE_MAILS[(turn + number) % HOSTILE_MAILS.length]!,
        'message/rfc822',
      ),
    );
  },

  'ten networks that hold the receiver by dripping': async ({ receiverPort }, signal) => {
    await atOnce(50, signal, (_, number) => drip(receiverPort, `127.0.${10 + (number % 10)}.1`, signal));
  },

  'webhook receivers that never answer': async (hostile, signal) => {
    await atOnce(20, signal, (_, number) =>
      send(hostile, hostile.liveKey, '/api/v1/webhooks', {
        url: `http://127.0.0.${100 + number}:${hostile.sinkPort}/hang?${unique()}`,
      }),
    );
  },

  'names whose name servers are silent, from eight accounts': async (hostile, signal) => {
    const keys = [hostile.liveKey, ...hostile.otherKeys];
    await atOnce(keys.length * 40, signal, (_, number) =>
      send(hostile, keys[number % keys.length]!, '/api/v1/verify', { email: `ok@${unique()}.silent.test` }),
    );
  },

  'invented addresses at one domain': async (hostile, signal) => {
    const emails = Array.from({ length: 5_000 }, () => `x${unique()}@d3.example.com`);
    await send(hostile, hostile.liveKey, '/api/v1/verify/batch', bodyOf(emails));
    await atOnce(20, signal, () =>
      send(hostile, hostile.liveKey, '/api/v1/verify', { email: `x${unique()}@d3.example.com` }),
    );
  },
};

/** Sends a greeting, byte by byte, until the receiver has enough of it. */
function drip(port: number, from: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    const dripping = setInterval(() => socket.write('E'), 500);
    const stop = (): void => void socket.destroy();
    signal.addEventListener('abort', stop, { once: true });
    socket
      .on('error', () => undefined)
      .on('close', () => {
        clearInterval(dripping);
        signal.removeEventListener('abort', stop);
        resolve();
      });
    socket.resume();
  });
}
