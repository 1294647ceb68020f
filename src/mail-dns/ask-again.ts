import type { Clock } from '../lib/clock.js';
import type { DnsAnswer, Resolver } from './domain-dns.js';

export type Question<T> = (resolver: Resolver) => Promise<DnsAnswer<T>>;

/** A way to one server for one question, from a port of its own. The server is listened to until the way is closed. */
export interface DnsChannel {
  readonly resolver: Resolver;
  /** What has no answer by then is a `timeout`. */
  readonly close: () => void;
}

/** @param server `address`, `address:port` or `[address]:port` */
export type OpenDnsChannel = (server: string) => DnsChannel;

interface AskAgainOptions<T> {
  readonly servers: readonly string[];
  readonly open: OpenDnsChannel;
  readonly clock: Clock;
  readonly patienceMs: number;
  /** What was asked before, and may still be answered. */
  readonly firstTry: Promise<DnsAnswer<T>>;
}

/** How often a question is sent to each server, at equal intervals. */
const ROUNDS = 3;

/**
 * Asks every server at once, and again while none says anything about the name. Earlier rounds and the first try are still listened to: a
 * packet may be lost, and a server may need nearly all of the time. `servfail` when every server says so, or when at
 * least one does and the others say nothing until the time is over.
 */
export function askAgain<T>(
  question: Question<T>,
  { servers, open, clock, patienceMs, firstTry }: AskAgainOptions<T>,
): Promise<DnsAnswer<T>> {
  return new Promise((resolve) => {
    const channels: DnsChannel[] = [];
    const failing = new Set<string>();
    let cancelTimer = () => {};

    const conclude = (answer: DnsAnswer<T>): void => {
      cancelTimer();
      for (const channel of channels) channel.close();
      resolve(answer);
    };
    const hear = (answer: DnsAnswer<T>, server: string): void => {
      if (answer.outcome === 'timeout') return;
      if (answer.outcome === 'servfail' && failing.add(server).size < servers.length) return;
      conclude(answer);
    };
    const ask = (roundsLeft: number): void => {
      if (roundsLeft === 0) return conclude({ outcome: failing.size > 0 ? 'servfail' : 'timeout' });
      cancelTimer = clock.after(patienceMs / ROUNDS, () => ask(roundsLeft - 1));
      for (const server of servers) {
        const channel = open(server);
        channels.push(channel);
        void question(channel.resolver).then((answer) => hear(answer, server));
      }
    };
    void firstTry.then((answer) => {
      if (answer.outcome !== 'timeout' && answer.outcome !== 'servfail') conclude(answer);
    });
    ask(ROUNDS);
  });
}
