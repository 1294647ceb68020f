import { connect } from 'node:net';
import type { Outcome } from './judge.js';
import type { FuzzRequest } from './requests.js';

/* More than the 10 s for which a connection waits for a body that was refused, and less than anybody would wait. */
const ANSWER_WITHIN_MS = 20_000;

/** Sends one request on a connection of its own, and reads until it ends, or an answer has come and no more is to come. */
export function exchangeOf(port: number, { pieces, ending }: FuzzRequest): Promise<Outcome> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    let text = '';
    let isSent = false;
    const done = (end: Outcome['end']) => {
      clearTimeout(late);
      socket.destroy();
      resolve({ text, end });
    };
    // After the answer a connection stays: there is nothing to wait for.
    const quiet = () => isSent && ending === 'wait' && isWhole(text) && done('quiet');
    const late = setTimeout(() => done('late'), ANSWER_WITHIN_MS);
    socket.on('data', (piece) => {
      text += piece.toString('latin1');
      quiet();
    });
    socket.once('end', () => done('closed')).once('close', () => done('closed'));
    socket.on('error', () => done('reset'));
    socket.once('connect', () => write(0));

    function write(at: number): void {
      if (socket.destroyed) return;
      if (at < pieces.length) return void socket.write(pieces[at]!, () => setImmediate(write, at + 1));
      isSent = true;
      if (ending === 'half-close') socket.end();
      else if (ending === 'close') socket.destroy();
      else if (ending === 'reset') socket.resetAndDestroy();
      else quiet();
    }
  });
}

function isWhole(text: string): boolean {
  const at = text.search(/HTTP\/1\.1 (?!100)/);
  const end = at < 0 ? -1 : text.indexOf('\r\n\r\n', at);
  if (end < 0) return false;
  const length = Number(/content-length: (\d+)/i.exec(text.slice(at, end))?.[1] ?? 0);
  return text.length >= end + 4 + length;
}
