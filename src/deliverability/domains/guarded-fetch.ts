import { isIP } from 'node:net';
import { Agent, request } from 'undici';
import { readBounded } from '../../lib/read-bounded.js';
import { type AddressGuard, isPublicAddress } from '../../mail-dns/public-address.js';
import { AddressRefused, createConnector, createAddressLookup } from '../../platform/outbound/guarded-connector.js';
import { type StsFetch, stsPolicyUrl } from '../../engine/domain/sts-policy.js';

/** Many hosts are asked at once; none of them for more than this at once. */
const MAX_CONNECTIONS = 4;

export interface GuardedFetchOptions {
  /** As in `DNS_SERVERS`. */
  readonly dnsServers: readonly string[];
  /** In tests: another port than 443, who else may sign, and which addresses may be connected to. */
  readonly port?: number;
  readonly ca?: string;
  readonly mayConnect?: AddressGuard;
}

interface FetchLimits {
  readonly withinMs: number;
  readonly maxBytes: number;
  readonly accept?: string;
}

export interface Fetched {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Empty where the status is none of 200 to 299. */
  readonly body: Buffer;
}

/** What is there is larger than anybody needs it to be. */
export class TooLarge extends Error {
  constructor(maxBytes: number) {
    super(`it has more than ${maxBytes} bytes`);
    this.name = 'TooLarge';
  }
}

/**
 * Fetches what strangers name, over HTTPS: it connects to public addresses only, those that it has looked up itself, follows no redirect,
 * believes no certificate that a browser would not, and reads a bounded number of bytes within a bounded time.
 */
export class GuardedFetch {
  readonly #agent: Agent;
  readonly #port: number | null;

  constructor({ dnsServers, port, ca, mayConnect = isPublicAddress }: GuardedFetchOptions) {
    this.#port = port ?? null;
    this.#agent = new Agent({
      connect: createConnector(mayConnect, createAddressLookup(dnsServers), ca === undefined ? {} : { ca }),
      connections: MAX_CONNECTIONS,
      pipelining: 0,
      maxHeaderSize: 16_384,
    });
  }

  /** Rejects with `AddressRefused`, `TooLarge`, or what the network, TLS or the clock says. */
  async get(named: URL, { withinMs, maxBytes, accept }: FetchLimits): Promise<Fetched> {
    if (named.protocol !== 'https:') throw new Error('it is no https URL');
    const url = new URL(named);
    if (this.#port !== null) url.port = String(this.#port);
    const {
      statusCode: status,
      headers,
      body,
    } = await request(url, {
      signal: AbortSignal.timeout(withinMs),
      dispatcher: this.#agent,
      headersTimeout: withinMs,
      bodyTimeout: withinMs,
      ...(accept !== undefined && { headers: { accept } }),
    });
    if (status < 200 || status > 299) {
      body.on('error', () => {}).destroy();
      return { status, headers, body: Buffer.alloc(0) };
    }
    const bytes = await readBounded(body as AsyncIterable<Buffer>, maxBytes);
    if (bytes === null) throw new TooLarge(maxBytes);
    return { status, headers, body: bytes };
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

const NO_ANSWER = /TIMEOUT|TimeoutError|ESERVFAIL|EREFUSED|ECANCELLED/i;

/** Whether nobody answered, which is no failure of theirs that we could prove. */
export function isSilence(error: unknown): boolean {
  const { name = '', code = '' } = error as { name?: string; code?: string };
  return NO_ANSWER.test(name) || NO_ANSWER.test(code);
}

/** RFC 8461 section 3.3 wants senders to bound time and size: a minute and 64 kilobytes. */
const POLICY_LIMITS = { withinMs: 10_000, maxBytes: 65_536 };

/** Fetches policies of MTA-STS, as RFC 8461 section 3.3 wants it: no redirect is followed. The customer names the host. */
export class StsFetcher extends GuardedFetch {
  /** Never rejects. */
  async fetch(domain: string): Promise<StsFetch> {
    const url = new URL(stsPolicyUrl(domain));
    // A name of digits and dots would be read as an address.
    if (isIP(url.hostname) !== 0) return { outcome: 'failed', why: 'its host is no name' };
    try {
      const { status, headers, body } = await this.get(url, POLICY_LIMITS);
      if (status !== 200) {
        const redirect = status >= 300 && status < 400 ? ', and no redirect is followed' : '';
        return { outcome: 'failed', why: `its host answers ${status}${redirect}` };
      }
      return { outcome: 'found', text: body.toString(), mediaType: mediaTypeOf(headers['content-type']) };
    } catch (error) {
      return failureOf(error);
    }
  }
}

/** What a type may be called (RFC 9110 section 8.3.1); the header is a stranger's and is shown. */
const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]{1,64}\/[a-z0-9!#$&^_.+-]{1,64}$/;

function mediaTypeOf(header: string | readonly string[] | undefined): string | null {
  const [text = ''] = String(header ?? '').split(';');
  const type = text.trim().toLowerCase();
  return MEDIA_TYPE.test(type) ? type : null;
}

function failureOf(error: unknown): StsFetch {
  if (error instanceof AddressRefused)
    return { outcome: 'failed', why: 'its host has an address that is not public, or none' };
  if (error instanceof TooLarge) return { outcome: 'failed', why: error.message };
  if (isSilence(error)) return { outcome: 'unknown' };
  const { code = '' } = error as { code?: string };
  if (code === 'ENOTFOUND' || code === 'ENODATA') return { outcome: 'failed', why: 'its host does not exist' };
  if (code === 'ECONNREFUSED') return { outcome: 'failed', why: 'its host refuses connections' };
  if (/CERT|SIGNED|SIGNATURE|SSL|TLS/.test(code))
    return { outcome: 'failed', why: `its host has a certificate that senders refuse (${code})` };
  return { outcome: 'failed', why: 'the connection to its host broke' };
}
