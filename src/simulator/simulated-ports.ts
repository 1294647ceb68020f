import {
  WireError,
  type Dialer,
  type EnginePorts,
  type ConnectionLimiter,
  type Wire,
  type WireListener,
} from '../engine/ports.js';
import { type Clock, type Random } from '../lib/clock.js';
import { type DnsAnswer, type Resolver } from '../mail-dns/domain-dns.js';
import { MAIL_HOST, MailServerConnection } from './mail-server.js';
import type { Scenario } from './scenarios.js';

/** The network of the simulated mail host (RFC 5737: nobody has its addresses); the engine must be allowed to connect to it. */
export const SIMULATED_NETWORK = '192.0.2.0/24';
const MAIL_HOST_ADDRESS = '192.0.2.25';
/** RFC 5737 as well. */
const OUR_ADDRESS = '198.51.100.7';

/** A draw that always falls the same: so the names that the engine makes up are always these two. */
const DRAW = 0.9876;
const MADE_UP = /^(tom\.rossi98884|x9{14})@/;

/**
 * The engine's ports in a scenario: every domain exists, and nothing leaves this process. Simulated work takes no time; the engine gives
 * up a silent host at once.
 */
export function createSimulatedPorts(scenario: Scenario, clock: Clock): EnginePorts {
  return {
    resolver: resolverOf(scenario),
    dialer: dialerOf(scenario),
    clock,
    random: SAME_DRAW,
    connectionLimiter: NO_LIMIT,
  };
}

const SAME_DRAW: Random = { fraction: () => DRAW };

/** A limiter without limits: no real mail host needs our politeness here. */
const NO_LIMIT: ConnectionLimiter = { acquire: () => Promise.resolve({ release: () => {} }) };

const TTL_SECONDS = 3_600;

function resolverOf({ mx }: Scenario): Resolver {
  const exchanges = {
    host: [{ exchange: MAIL_HOST, preference: 10 }],
    null: [{ exchange: '', preference: 0 }],
    none: [],
  };
  return {
    mx: () => answer(exchanges[mx]),
    a: (host) => answer(mx === 'host' && host === MAIL_HOST ? [MAIL_HOST_ADDRESS] : []),
    aaaa: () => answer([]),
  };
}

function answer<T>(records: readonly T[]): Promise<DnsAnswer<T>> {
  return Promise.resolve(
    records.length > 0 ? { outcome: 'found', records, ttlSeconds: TTL_SECONDS } : { outcome: 'nodata' },
  );
}

function dialerOf(scenario: Scenario): Dialer {
  return {
    connect: async () => {
      if (scenario.connection === 'silent') throw new WireError('timeout', 'connection timed out');
      if (scenario.connection === 'unreachable') throw new WireError('unreachable', 'no route to host');
      return new SimulatedWire(new MailServerConnection(scenario, OUR_ADDRESS, (address) => MADE_UP.test(address)));
    },
  };
}

/** A connection within this process; what the server says is heard one turn of the event loop later, as from a socket. */
class SimulatedWire implements Wire {
  readonly localAddress = OUR_ADDRESS;
  #listener: WireListener | null = null;
  #unfinished = '';

  constructor(private readonly server: MailServerConnection) {}

  listen(listener: WireListener): void {
    this.#listener = listener;
    this.#say(this.server.greeting(), false);
  }

  write(text: string): void {
    const lines = (this.#unfinished + text).split('\r\n');
    this.#unfinished = lines.pop()!;
    const answers = lines.map((line) => this.server.answer(line));
    this.#say(answers.map(({ reply }) => reply).join(''), answers.at(-1)?.isLast ?? false);
  }

  inspectTls(): Promise<never> {
    return Promise.reject(new WireError('tls', 'the simulated mail host does not offer STARTTLS'));
  }

  startTls(): Promise<void> {
    return Promise.reject(new WireError('tls', 'the simulated mail host does not offer STARTTLS'));
  }

  close(): Promise<void> {
    this.#listener = null;
    return Promise.resolve();
  }

  #say(text: string, isLast: boolean): void {
    setImmediate(() => {
      this.#listener?.data(Buffer.from(text));
      if (isLast) this.#listener?.closed(null);
    });
  }
}
