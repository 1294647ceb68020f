import { Agent, request } from 'undici';
import { type AddressGuard, isPublicAddress } from '../../mail-dns/public-address.js';
import { createConnector, createLookUp } from '../../webhooks/worker/guarded-connector.js';

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

export interface FetchLimits {
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
      connect: createConnector(mayConnect, createLookUp(dnsServers), ca === undefined ? {} : { ca }),
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
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new TooLarge(maxBytes);
      chunks.push(chunk);
    }
    return { status, headers, body: Buffer.concat(chunks) };
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
