import { connect, type Socket } from 'node:net';

/** What a client that speaks no library's HTTP saw of its connection. */
export interface RawReply {
  /** Of the last whole head that came; null when none did. */
  readonly status: number | null;
  readonly text: string;
  /** `reset` when the connection broke instead of ending. */
  readonly end: 'closed' | 'reset' | 'late';
}

/**
 * Writes the pieces as they are, each by itself, and reads until the service closes.
 * @param finish called after the last piece: by default the client only reads on
 */
export function exchange(
  url: string,
  pieces: readonly (string | Buffer)[],
  { finish = () => undefined, withinMs = 20_000 }: { finish?: (socket: Socket) => void; withinMs?: number } = {},
): Promise<RawReply> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true });
    let text = '';
    const done = (end: RawReply['end']) => {
      clearTimeout(timer);
      socket.destroy();
      const heads = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].filter(([, code]) => code !== '100');
      resolve({ status: heads.length === 0 ? null : Number(heads.at(-1)![1]), text, end });
    };
    const timer = setTimeout(() => done('late'), withinMs);
    socket.on('data', (piece) => (text += piece.toString('latin1')));
    socket.once('end', () => done('closed')).once('close', () => done('closed'));
    socket.once('error', () => done('reset'));
    socket.once('connect', () => void writeAll(socket, pieces).then(() => finish(socket)));
  });
}

/** A turn of the event loop and a packet for each piece. */
async function writeAll(socket: Socket, pieces: readonly (string | Buffer)[]): Promise<void> {
  for (const piece of pieces)
    await new Promise<void>((resolve) => {
      if (socket.destroyed) return resolve();
      socket.write(piece, () => setImmediate(resolve));
    });
}

/** The head of a request, ended. */
export function head(line: string, headers: Readonly<Record<string, string | number>>): string {
  const all = { Host: '127.0.0.1', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${line} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

export function chunk(text: string): string {
  return `${Buffer.byteLength(text, 'latin1').toString(16)}\r\n${text}\r\n`;
}
