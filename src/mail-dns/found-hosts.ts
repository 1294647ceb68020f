import type { Clock, Random } from '../lib/clock.js';
import { type DnsAnswer, isAbsence, isFound } from './domain-dns.js';
import { registered } from './registrable.js';

interface FoundHost {
  readonly name: string;
  /** From then on no cache that minds the TTL holds its addresses. */
  readonly coldAt: number;
}

const MAX_HOSTS = 64;
/** Those that live longer would take room in which they are of no use. */
const MAX_TTL_SECONDS = 3_600;
/** Asking makes a host useless until its TTL is over again, so that some are spared for the doubt that one denial raises. */
const ASK_EVERY_MS = 5_000;
const MAX_MORE = 3;
/** A host that does not answer holds up a proof, so it is left alone for a while. */
const REST_MS = 300_000;
/** Hosts that are denied for so long are gone: what else is known has left the caches by then as well. */
const DOUBT_MS = 3_600_000;

/**
 * Host names whose IPv4 addresses the resolver has found, and whose TTL says until when a cache can hold them. A cache in front of a lie
 * knows what is asked all the time, and nothing that has left it: two hosts that are denied then, and none that is found, are a lie.
 *
 * One denied host proves nothing, since hosts are taken away, and is forgotten. Of each registered domain there is one host, so that no
 * single owner of names can raise the doubt, nor somebody to whom a hoster gives names for nothing. Those that came first stay, but while
 * there is doubt, so that nobody pushes them out. The doubt ends when a host is found again.
 */
export class FoundHosts {
  readonly #hosts = new Map<string, FoundHost>();
  #askedAt = -Infinity;
  #deniedSince: number | null = null;
  /** When one was asked about last that no cache held, and was found. */
  #foundAgainAt = -Infinity;

  constructor(
    private readonly clock: Clock,
    private readonly random: Random,
  ) {}

  /** Hears of what a host was found with; its TTL may be the rest of one, as a cache tells it. */
  hear(name: string, ttlSeconds: number): void {
    const domain = ownerOf(name);
    const held = this.#hosts.get(domain);
    if ((held !== undefined && held.name !== name) || ttlSeconds > MAX_TTL_SECONDS) return;
    if (held === undefined && !this.#makesRoom()) return;
    this.#hosts.set(domain, { name, coldAt: this.clock.now() + ttlSeconds * 1000 });
  }

  /** No lie is older than that: a lie has nothing to find a host with that no cache holds. */
  get foundAgainAt(): number {
    return this.#foundAgainAt;
  }

  forget(): void {
    this.#hosts.clear();
    this.#deniedSince = null;
  }

  /** Asks for one whose TTL is over and, when it is denied or there is doubt already, for up to three more. @returns whether hosts are denied that must be there */
  async areDenied(ask: (host: string) => Promise<DnsAnswer<string>>): Promise<boolean> {
    const now = this.clock.now();
    if (this.#deniedSince !== null && now - this.#deniedSince >= DOUBT_MS) this.forget();
    if (this.#deniedSince === null && now - this.#askedAt < ASK_EVERY_MS) return false;
    const [first, ...more] = this.#cold();
    if (first === undefined) return this.#deniedSince !== null;
    this.#askedAt = now;
    const answers = [await ask(first.name)];
    if (isAbsence(answers[0]!) || this.#deniedSince !== null)
      answers.push(...(await Promise.all(more.map(({ name }) => ask(name)))));
    return this.#judge([first, ...more].slice(0, answers.length), answers);
  }

  #judge(asked: readonly FoundHost[], answers: readonly DnsAnswer<string>[]): boolean {
    const denied = asked.filter((_, i) => isAbsence(answers[i]!));
    for (const [i, { name }] of asked.entries()) {
      const answer = answers[i]!;
      if (answer.outcome === 'found') this.hear(name, answer.ttlSeconds);
      else if (!isAbsence(answer)) this.#hosts.set(ownerOf(name), { name, coldAt: this.clock.now() + REST_MS });
    }
    const isOver = answers.some(isFound);
    if (isOver) this.#foundAgainAt = this.#askedAt;
    if (!isOver && (denied.length > 1 || this.#deniedSince !== null)) {
      this.#deniedSince ??= this.clock.now();
      return true;
    }
    for (const { name } of denied) this.#hosts.delete(ownerOf(name));
    this.#deniedSince = null;
    return false;
  }

  /** Some, in any order, whose TTL is over. */
  #cold(): FoundHost[] {
    const now = this.clock.now();
    const cold = [...this.#hosts.values()].filter(({ coldAt }) => coldAt <= now);
    const start = Math.floor(this.random.fraction() * cold.length);
    return [...cold.slice(start), ...cold.slice(0, start)].slice(0, 1 + MAX_MORE);
  }

  /** While there is doubt, the oldest goes: they may all be gone. */
  #makesRoom(): boolean {
    if (this.#hosts.size < MAX_HOSTS) return true;
    if (this.#deniedSince === null) return false;
    const [oldest] = this.#hosts.keys();
    return this.#hosts.delete(oldest!);
  }
}

function ownerOf(host: string): string {
  return registered(host) ?? host;
}
