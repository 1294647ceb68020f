import {
  WireError,
  type Dialer,
  type EnginePorts,
  type ConnectionLimiter,
  type Wire,
  type WireListener,
} from '../engine/ports.js';
import type { Clock, Random } from '../lib/clock.js';
import type { DnsAnswer, Resolver } from '../mail-dns/domain-dns.js';
import type { Scenario } from './scenarios.js';

/** A reserved name (RFC 6761 section 6.2), so that no reader takes it for a real mail host. */
const MAIL_HOST = 'mx.simulated.test';

/** A client's connection to the simulated mail host, which talks as Postfix does; one command line in, one reply out. */
class MailServerConnection {
  #isGreeted = false;
  #hasSender = false;

  constructor(
    private readonly scenario: Scenario,
    private readonly clientAddress: string,
    private readonly isMadeUp: (recipient: string) => boolean,
  ) {}

  greeting(): string {
    return `220 ${MAIL_HOST} ESMTP Postfix\r\n`;
  }

  /** The replies to a command line without its line end; the last one is the reply to QUIT. */
  answer(line: string): { readonly reply: string; readonly isLast: boolean } {
    const [verb = ''] = line.toUpperCase().split(' ', 1);
    return { reply: `${this.#reply(verb, line)}\r\n`, isLast: verb === 'QUIT' };
  }

  #reply(verb: string, line: string): string {
    switch (verb) {
      case 'EHLO':
        this.#isGreeted = true;
        return EXTENSIONS.map((text, index) => `250${index < EXTENSIONS.length - 1 ? '-' : ' '}${text}`).join('\r\n');
      case 'MAIL':
        return this.#mail();
      case 'RCPT':
        return this.#hasSender ? this.#recipient(line) : '503 5.5.1 Error: need MAIL command';
      case 'RSET':
        this.#hasSender = false;
        return '250 2.0.0 Ok';
      case 'QUIT':
        return '221 2.0.0 Bye';
      default:
        return '502 5.5.2 Error: command not recognized';
    }
  }

  #mail(): string {
    if (!this.#isGreeted) return '503 5.5.1 Error: send HELO/EHLO first';
    if (this.#hasSender) return '503 5.5.1 Error: nested MAIL command';
    this.#hasSender = true;
    return '250 2.1.0 Ok';
  }

  #recipient(line: string): string {
    const recipient = /^RCPT TO:<(.+)>$/i.exec(line)?.[1];
    if (recipient === undefined) return '501 5.5.4 Syntax: RCPT TO:<address>';
    const { mailbox, madeUp } = this.scenario;
    const reply = this.isMadeUp(recipient) ? madeUp : mailbox;
    return reply.replaceAll('{recipient}', () => recipient).replaceAll('{client}', this.clientAddress);
  }
}

const EXTENSIONS = [MAIL_HOST, 'PIPELINING', 'SIZE 10240000', 'ENHANCEDSTATUSCODES', '8BITMIME', 'SMTPUTF8'];

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
