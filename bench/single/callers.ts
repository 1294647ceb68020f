import { connect } from 'node:net';

/** What a parent asks of this process: so many callers on a connection each, one request at a time, for so long. */
export interface Order {
  readonly port: number;
  /** Callers take the tokens in turn. */
  readonly tokens: readonly string[];
  readonly callers: number;
  readonly seconds: number;
  readonly domains: number;
}

export interface Outcome {
  readonly requests: number;
  /** Answers without 200. */
  readonly refused: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly lastBody: string;
}

/**
 * The callers of a single verification, as a process of its own: requests written by hand, answers read as far as their length.
 * Whatever it costs is the machine's that is measured.
 */
let asked = 0;

process.on('message', (order: Order) => {
  void Promise.all(Array.from({ length: order.callers }, () => call(order))).then((outcomes) => {
    const latencies = outcomes.flatMap((one) => one.latencies).sort((a, b) => a - b);
    const outcome: Outcome = {
      requests: latencies.length,
      refused: outcomes.reduce((sum, { refused }) => sum + refused, 0),
      p50Ms: latencies[Math.floor(latencies.length * 0.5)] ?? 0,
      p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
      lastBody: outcomes[0]!.lastBody,
    };
    process.send!(outcome);
  });
});
process.on('disconnect', () => process.exit());

function call({ port, tokens, seconds, domains }: Order) {
  const latencies: number[] = [];
  let refused = 0;
  let lastBody = '';
  return new Promise<{ latencies: number[]; refused: number; lastBody: string }>((resolve, reject) => {
    const endsAt = performance.now() + seconds * 1000;
    let sentAt = 0;
    let text = '';
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const ask = () => {
      const number = asked++;
      const body = JSON.stringify({ email: `ok.user${number}@d${number % domains}.example.com` });
      sentAt = performance.now();
      socket.write(
        `POST /api/v1/verify HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${tokens[number % tokens.length]}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        'latin1',
      );
    };
    socket.on('connect', ask).on('error', reject);
    socket.on('close', () => reject(new Error('the service closed a connection')));
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      const bodyAt = text.indexOf('\r\n\r\n') + 4;
      if (bodyAt < 4) return;
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (text.length < bodyAt + length) return;
      const now = performance.now();
      latencies.push(now - sentAt);
      if (!text.startsWith('HTTP/1.1 200')) refused += 1;
      lastBody = text.slice(bodyAt);
      text = '';
      if (now < endsAt) return ask();
      socket.removeAllListeners('close').destroy();
      resolve({ latencies, refused, lastBody });
    });
  });
}
