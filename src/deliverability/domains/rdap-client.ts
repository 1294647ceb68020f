import { join } from 'node:path';
import { HOUR_MS } from '../../lib/durations.js';
import {
  rdapServers,
  type RdapService,
  readRegistration,
  type RegistrationAnswer,
} from '../../engine/domain/registration.js';
import { registered } from '../../mail-dns/registrable.js';
import { LruMap } from '../../lib/lru-map.js';
import type { WallClock } from '../../platform/clock.js';
import { CONFIG_DIRECTORY, readJson } from '../../platform/config/config-file.js';
import { type Fetched, GuardedFetch, type GuardedFetchOptions } from './guarded-fetch.js';

const LIMITS = { withinMs: 10_000, maxBytes: 262_144, accept: 'application/rdap+json' };
/** A registry may send us on to the registrar's server (RFC 7480 section 5.2). */
const MAX_REDIRECTS = 2;
/** Registries count questions: what one has said is believed for a while, and one that has enough is left alone. */
const BELIEVED_MS = 600_000;
const MAX_REMEMBERED = 10_000;
const PAUSE_MS = 60_000;
const MAX_PAUSE_MS = HOUR_MS;

/** Reads `config/rdap.json`, IANA's list of the servers of registries. */
export function readRdapServices(): readonly RdapService[] {
  const { services } = readJson('config/rdap.json', join(CONFIG_DIRECTORY, 'rdap.json')) as {
    services: readonly RdapService[];
  };
  return services;
}

/** Asks registries about registrations, by RDAP, through the guarded connector. */
export class RdapClient extends GuardedFetch {
  readonly #services: ReadonlyMap<string, readonly string[]>;
  readonly #known = new LruMap<string, { readonly look: RegistrationAnswer; readonly until: number }>(MAX_REMEMBERED);
  /** Until when a server wants no more questions. */
  readonly #paused = new LruMap<string, number>(MAX_REMEMBERED);

  constructor(
    options: GuardedFetchOptions,
    private readonly clock: Pick<WallClock, 'now'>,
    services: readonly RdapService[] = readRdapServices(),
  ) {
    super(options);
    this.#services = new Map(services.flatMap(([entries, urls]) => entries.map((entry) => [entry, urls] as const)));
  }

  /** Asks about the domain that somebody has registered, itself or above it. Never rejects. */
  async look(name: string): Promise<RegistrationAnswer> {
    const domain = registered(name) ?? name;
    const [server] = rdapServers(domain, this.#services);
    if (server === undefined) return { outcome: 'unknown', why: 'no_rdap' };
    const known = this.#known.get(domain);
    if (known !== undefined && known.until > this.clock.now()) return known.look;
    const look = await this.#ask(new URL(`domain/${domain}`, server), domain);
    if (look.outcome === 'found') this.#known.set(domain, { look, until: this.clock.now() + BELIEVED_MS });
    return look;
  }

  async #ask(first: URL, domain: string): Promise<RegistrationAnswer> {
    let url = first;
    try {
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
        if ((this.#paused.get(url.host) ?? 0) > this.clock.now()) return { outcome: 'unknown', why: 'rate_limited' };
        const answer = await this.get(url, LIMITS);
        const { status } = answer;
        if (status === 200) return readAnswer(answer, domain);
        if (status === 404) return { outcome: 'unknown', why: 'not_known' };
        if (status === 429 || status === 503) return this.#pause(url, answer);
        const { location } = answer.headers;
        if (status < 300 || status > 399 || typeof location !== 'string') break;
        url = new URL(location, url);
      }
    } catch {
      // Silence, a wrong certificate, too much: nothing of it says anything of the domain.
    }
    return { outcome: 'unknown', why: 'no_answer' };
  }

  /** 429 and 503 mean later (RFC 7480 section 5.5). */
  #pause({ host }: URL, { headers }: Fetched): RegistrationAnswer {
    const wanted = Number(headers['retry-after']) * 1_000;
    const pauseMs = Number.isFinite(wanted) ? Math.min(Math.max(wanted, PAUSE_MS), MAX_PAUSE_MS) : PAUSE_MS;
    this.#paused.set(host, this.clock.now() + pauseMs);
    return { outcome: 'unknown', why: 'rate_limited' };
  }
}

function readAnswer({ body }: Fetched, domain: string): RegistrationAnswer {
  let answer: unknown;
  try {
    answer = JSON.parse(body.toString());
  } catch {
    return { outcome: 'unknown', why: 'unreadable' };
  }
  const registration = readRegistration(answer, domain);
  return registration === null ? { outcome: 'unknown', why: 'unreadable' } : { outcome: 'found', domain, registration };
}
