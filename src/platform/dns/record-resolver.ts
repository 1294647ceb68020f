import { randomInt } from 'node:crypto';
import { getServers } from 'node:dns';
import packet, { type Packet, type RecordType } from 'dns-packet';
import { FairPlaces } from '../../lib/fair-places.js';
import { type DnsServerAddress, dnsServerAddress, exchange } from './dns-exchange.js';

/** What came of a question. `isAuthentic`: the resolver has validated it (DNSSEC); worth as much as the way to the resolver. */
export type RecordAnswer<T> =
  | {
      readonly outcome: 'found';
      readonly records: readonly T[];
      readonly ttlSeconds: number;
      readonly isAuthentic: boolean;
    }
  | { readonly outcome: 'nxdomain' | 'nodata'; readonly isAuthentic: boolean }
  | { readonly outcome: 'servfail' | 'timeout' };

export interface MailHostRecord {
  readonly exchange: string;
  readonly preference: number;
}

export interface TlsaRecord {
  readonly usage: number;
  readonly selector: number;
  readonly matchingType: number;
  /** Hexadecimal. */
  readonly data: string;
}

export interface AskOptions {
  /** From 0: a later attempt begins with another server where there are several. */
  readonly attempt?: number;
  /** The resolver need not validate (CD): what then answers while it fails otherwise is bogus. */
  readonly isUnchecked?: boolean;
  /** Whose question it is: accounts share the places. Null: our own, which go first. Left out: nobody's, all of which are one account's. */
  readonly account?: string | null;
}

/** An account that is alone has a third of them. */
const QUESTION_PLACES = 192;
/** Questions of an account that wait or are asked, some hundred domains at once: who has given up waiting does not take them back. */
const MAX_QUESTIONS = 5_000;
/** The time of one try; every server is tried, and the first one twice. */
const TRY_MS = 2_000;
const MAX_TRIES = 3;
const UDP_BYTES = 1_232;
const MAX_RECORDS = 200;

type ReadData<T> = (data: unknown) => T;

/**
 * Asks the configured resolvers for records of any type, and tells what Node's own resolver hides: whether the answer was validated, and
 * types that it does not know. Never rejects, follows no name servers by itself, and remembers nothing.
 */
export class RecordResolver {
  readonly #servers: readonly DnsServerAddress[];
  readonly #places = new FairPlaces(QUESTION_PLACES);
  readonly #questions = new Map<string | null, number>();

  /** @param servers as in `DNS_SERVERS`; empty: the system's */
  constructor(servers: readonly string[]) {
    this.#servers = (servers.length > 0 ? servers : getServers()).map(dnsServerAddress);
  }

  /** Whom it asks, for what is only true of their answers. */
  get identity(): string {
    return this.#servers.map(({ host, port }) => `${host} ${port}`).join(', ');
  }

  a(name: string, options?: AskOptions): Promise<RecordAnswer<string>> {
    return this.#ask(name, 'A', options, readAddress);
  }

  aaaa(name: string, options?: AskOptions): Promise<RecordAnswer<string>> {
    return this.#ask(name, 'AAAA', options, readAddress);
  }

  /** Each record's strings joined. */
  txt(name: string, options?: AskOptions): Promise<RecordAnswer<string>> {
    return this.#ask(name, 'TXT', options, (data) => [data as Buffer | string | (Buffer | string)[]].flat().join(''));
  }

  mx(name: string, options?: AskOptions): Promise<RecordAnswer<MailHostRecord>> {
    return this.#ask(name, 'MX', options, readMailHost);
  }

  ptr(name: string, options?: AskOptions): Promise<RecordAnswer<string>> {
    return this.#ask(name, 'PTR', options, (data) => plainName(data as string));
  }

  ns(name: string, options?: AskOptions): Promise<RecordAnswer<string>> {
    return this.#ask(name, 'NS', options, (data) => plainName(data as string));
  }

  cname(name: string, options?: AskOptions): Promise<RecordAnswer<string>> {
    return this.#ask(name, 'CNAME', options, (data) => plainName(data as string));
  }

  tlsa(name: string, options?: AskOptions): Promise<RecordAnswer<TlsaRecord>> {
    return this.#ask(name, 'TLSA', options, (data) => {
      const { usage, selector, matchingType, certificate } = data as Record<string, number> & { certificate: Buffer };
      return { usage: usage!, selector: selector!, matchingType: matchingType!, data: certificate.toString('hex') };
    });
  }

  /** The key tags of the keys that a parent vouches for. */
  ds(name: string, options?: AskOptions): Promise<RecordAnswer<number>> {
    return this.#ask(name, 'DS', options, (data) => (data as { keyTag: number }).keyTag);
  }

  async #ask<T>(
    name: string,
    type: RecordType,
    { attempt = 0, isUnchecked = false, account = '' }: AskOptions = {},
    read: ReadData<T>,
  ): Promise<RecordAnswer<T>> {
    if (!isAskable(name) || this.#servers.length === 0) return { outcome: 'servfail' };
    const asked = this.#questions.get(account) ?? 0;
    if (account && asked >= MAX_QUESTIONS) return { outcome: 'timeout' };
    this.#questions.set(account, asked + 1);
    const question = this.#places.run(async () => {
      let answer: RecordAnswer<T> = { outcome: 'timeout' };
      for (let tried = 0; tried < Math.min(MAX_TRIES, this.#servers.length + 1); tried += 1) {
        const server = this.#servers[(attempt + tried) % this.#servers.length]!;
        const query = queryFor(name, type, isUnchecked);
        const signal = AbortSignal.timeout(TRY_MS);
        answer = await exchange(query, server, signal)
          .then((message) => readRecords(message, type, read))
          .catch(() => ({ outcome: 'timeout' }));
        // REFUSED and SERVFAIL of one server are not the last word where there is another.
        if (answer.outcome !== 'timeout' && (answer.outcome !== 'servfail' || this.#servers.length === 1))
          return answer;
      }
      return answer;
    }, account);
    return question.finally(() => {
      const left = this.#questions.get(account)! - 1;
      if (left > 0) this.#questions.set(account, left);
      else this.#questions.delete(account);
    });
  }
}

/**
 * A way to one server for one question, from a port of its own. Its server is listened to until the way is closed, which is a timeout;
 * whatever else goes wrong is `servfail`.
 *
 * @param server as in `DNS_SERVERS`
 */
export function openDnsChannel(server: string) {
  const address = dnsServerAddress(server);
  const closing = new AbortController();
  const ask = async <T>(name: string, type: RecordType, read: ReadData<T>): Promise<RecordAnswer<T>> => {
    if (!isAskable(name)) return { outcome: 'servfail' };
    try {
      return readRecords(await exchange(queryFor(name, type, false), address, closing.signal), type, read);
    } catch {
      return { outcome: closing.signal.aborted ? 'timeout' : 'servfail' };
    }
  };
  return {
    resolver: {
      mx: (name: string) => ask(name, 'MX', readMailHost),
      a: (name: string) => ask(name, 'A', readAddress),
      aaaa: (name: string) => ask(name, 'AAAA', readAddress),
    },
    close: () => closing.abort(),
  };
}

function readRecords<T>(answer: Packet, type: RecordType, read: ReadData<T>): RecordAnswer<T> {
  const { rcode, flag_ad: isAuthentic = false } = answer as Packet & { rcode?: string; flag_ad?: boolean };
  if (rcode === 'NXDOMAIN') return { outcome: 'nxdomain', isAuthentic };
  if (rcode !== 'NOERROR') return { outcome: 'servfail' };
  const own = (answer.answers ?? []).filter((one) => one.type === type).slice(0, MAX_RECORDS);
  if (own.length === 0) return { outcome: 'nodata', isAuthentic };
  const records = own.map((one) => read((one as { data: unknown }).data));
  const ttlSeconds = Math.min(...own.map((one) => (one as { ttl?: number }).ttl ?? 0));
  return { outcome: 'found', records, ttlSeconds, isAuthentic };
}

function queryFor(name: string, type: RecordType, isUnchecked: boolean): Packet {
  // The AD bit of a question asks for that of the answer, without the signatures (RFC 6840 section 5.7).
  const flags = packet.RECURSION_DESIRED | packet.AUTHENTIC_DATA | (isUnchecked ? packet.CHECKING_DISABLED : 0);
  const edns = {
    type: 'OPT',
    name: '.',
    udpPayloadSize: UDP_BYTES,
    extendedRcode: 0,
    ednsVersion: 0,
    flags: 0,
    flag_do: false,
    options: [],
  };
  return {
    type: 'query',
    id: randomInt(65_536),
    flags,
    questions: [{ type, name, class: 'IN' }],
    additionals: [edns as never],
  };
}

function readAddress(data: unknown): string {
  return data as string;
}

function readMailHost(data: unknown): MailHostRecord {
  const { exchange: host, preference } = data as { exchange: string; preference?: number };
  return { exchange: plainName(host), preference: preference ?? 0 };
}

function isAskable(name: string): boolean {
  return name.length <= 253 && name.split('.').every((label) => label.length > 0 && Buffer.byteLength(label) <= 63);
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
