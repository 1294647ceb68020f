import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Turns } from '../../lib/turns.js';

/**
 * Requests that begin in one round of the event loop. libuv takes one new connection a round (since 1.45): three hundred requests that
 * begin in one would keep each new caller waiting for seconds before it is even seen.
 */
const BEGUN_IN_A_ROUND = 2;

/**
 * Lets requests begin a few at a time, those of each key in turn with those of others, so that a flood of one key's keeps no other key's
 * and no new connection waiting. The caller calls it when the application listens to `request`.
 */
export function beginInTurns(server: Server): void {
  const listeners = server.listeners('request') as ((request: IncomingMessage, reply: ServerResponse) => void)[];
  const waiting = new Turns<() => void>();
  let begun = 0;
  let isRoundWatched = false;

  const watchRound = (): void => {
    if (isRoundWatched) return;
    isRoundWatched = true;
    setImmediate(() => {
      isRoundWatched = false;
      begun = 0;
      while (begun < BEGUN_IN_A_ROUND && waiting.size > 0) begin(waiting.take()!);
    });
  };
  const begin = (act: () => void): void => {
    begun += 1;
    watchRound();
    act();
  };

  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, reply: ServerResponse) => {
    const act = (): void => {
      // Its caller may have gone while it waited.
      if (!request.socket.destroyed) for (const listener of listeners) listener.call(server, request, reply);
    };
    if (begun < BEGUN_IN_A_ROUND) begin(act);
    else waiting.add(act, request.headers.authorization ?? request.socket.remoteAddress ?? '');
  });
}
