import type { MailHosts } from './dns/mail-hosts.js';
import type { Clock } from './ports.js';
import type { MailRoutes } from './smtp/mail-routes.js';
import { parseDomain } from './syntax/domain.js';

export interface MailOperatorsOptions {
  /** Milliseconds after which what is not known yet is left out: a name server that is silent takes some seconds. */
  readonly patienceMs: number;
  readonly signal?: AbortSignal;
}

interface OperatorsWorld {
  readonly clock: Clock;
  readonly mailHosts: MailHosts;
  readonly routes: MailRoutes;
}

/** Fewer than the resolver takes, so that verifications beside it are not at the end of a long line. */
const QUESTIONS_AT_ONCE = 40;
/** Known domains between two turns of the event loop: about 2 ms. */
const WITHOUT_PAUSE = 1_000;

/** Whose caps the mail hosts of each domain come under; domains without mail hosts, and malformed ones, are left out. */
export async function mailOperators(
  domains: Iterable<string>,
  { clock, mailHosts, routes }: OperatorsWorld,
  { patienceMs, signal }: MailOperatorsOptions,
): Promise<ReadonlyMap<string, string>> {
  const search = new OperatorSearch(domains[Symbol.iterator](), mailHosts, routes);
  const learning = Promise.all(Array.from({ length: QUESTIONS_AT_ONCE }, () => search.learn()));
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

/** A class, not closures: those were compiled anew for each load of a batch. */
class OperatorSearch {
  readonly operators = new Map<string, string>();
  isOver = false;
  private found = 0;

  constructor(
    private readonly domains: Iterator<string>,
    private readonly mailHosts: MailHosts,
    private readonly routes: MailRoutes,
  ) {}

  /** Several do it beside each other; each takes the next domain. */
  async learn(): Promise<void> {
    for (let one = this.domains.next(); one.done !== true && !this.isOver; one = this.domains.next()) {
      const domain = parseDomain(one.value);
      if (typeof domain === 'string' || domain.neverResolves) continue;
      if (++this.found % WITHOUT_PAUSE === 0) await new Promise<void>((resolve) => setImmediate(resolve));
      const known = this.mailHosts.find(domain.text);
      const fact = known instanceof Promise ? await known : known;
      if (fact.outcome === 'hosts' && !this.isOver)
        this.operators.set(one.value, this.routes.operatorOf(fact.hosts).name);
    }
  }
}
