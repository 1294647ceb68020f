import type { MailHosts } from '../../mail-dns/mail-hosts.js';
import type { Clock } from '../../lib/clock.js';
import type { MxRoutes } from '../smtp/probe/mx-routes.js';
import { parseDomain } from '../syntax/domain.js';

export interface MailOperatorsOptions {
  /** Milliseconds after which domains not known yet are left out: a silent name server takes some seconds. */
  readonly patienceMs: number;
  readonly signal?: AbortSignal;
  /** In whose turn the resolver is asked. */
  readonly turn: string;
}

interface MailOperatorsContext {
  readonly clock: Clock;
  readonly mailHosts: MailHosts;
  readonly routes: MxRoutes;
}

/** Lookups at once: fewer than the resolver's limit, so that queries of verifications do not wait behind all of these. */
const LOOKUP_CONCURRENCY = 40;
/** Known domains between two turns of the event loop. */
const WITHOUT_PAUSE = 1_000;

/** Maps each domain to the operator whose caps hold for its mail hosts; domains without mail hosts, and malformed ones, are left out. */
export async function mailOperators(
  domains: Iterable<string>,
  { clock, mailHosts, routes }: MailOperatorsContext,
  { patienceMs, signal, turn }: MailOperatorsOptions,
): Promise<ReadonlyMap<string, string>> {
  const search = new OperatorSearch(domains[Symbol.iterator](), mailHosts, routes, turn);
  const learning = Promise.all(Array.from({ length: LOOKUP_CONCURRENCY }, () => search.learn()));
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  const cancelTimer = clock.after(patienceMs, stop);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    signal?.throwIfAborted();
    await Promise.race([learning, stopped]);
    signal?.throwIfAborted();
    return search.operators;
  } finally {
    search.isOver = true;
    cancelTimer();
    signal?.removeEventListener('abort', stop);
  }
}

/** A class, because V8 compiles closures again for each call. */
class OperatorSearch {
  readonly operators = new Map<string, string>();
  isOver = false;
  #found = 0;

  constructor(
    private readonly domains: Iterator<string>,
    private readonly mailHosts: MailHosts,
    private readonly routes: MxRoutes,
    private readonly turn: string,
  ) {}

  /** Runs several times at once; each run takes the next domain. */
  async learn(): Promise<void> {
    for (let one = this.domains.next(); one.done !== true && !this.isOver; one = this.domains.next()) {
      const domain = parseDomain(one.value);
      if (typeof domain === 'string' || domain.neverResolves) continue;
      if (++this.#found % WITHOUT_PAUSE === 0) await new Promise<void>((resolve) => setImmediate(resolve));
      const known = this.mailHosts.find(domain.text, this.turn);
      const fact = known instanceof Promise ? await known : known;
      if (fact.outcome === 'hosts' && !this.isOver)
        this.operators.set(one.value, this.routes.operatorOf(fact.hosts).name);
    }
  }
}
