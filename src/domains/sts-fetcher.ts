import { isIP } from 'node:net';
import { Agent, request } from 'undici';
import { isPublicAddress } from '../engine/dns/public-address.js';
import type { StsFetch } from '../engine/domain/sts-policy.js';
import { stsPolicyUrl } from '../engine/domain/sts-policy.js';
import { AddressRefused, createConnector, createLookUp } from '../webhooks/worker/guarded-connector.js';

/** RFC 8461 section 3.3 wants senders to bound time and size: a minute and 64 kilobytes. */
const FETCH_MS = 10_000;
const MAX_BYTES = 65_536;
/** Many domains are looked at at once; none of them is asked for more than one file. */
const MAX_CONNECTIONS = 16;

export interface StsFetcherOptions {
  /** As in `DNS_SERVERS`. */
  readonly dnsServers: readonly string[];
  /** In tests: another port than 443, who else may sign, and which addresses may be connected to. */
  readonly port?: number;
  readonly ca?: string;
  readonly mayConnect?: (address: string) => boolean;
}

/**
 * Fetches policies of MTA-STS. The customer names the host, so it connects to public addresses only, those that it has looked up itself;
 * it follows no redirect (RFC 8461 section 3.3), believes no certificate that a browser would not, and reads no more than 64 KB.
 */
export class StsFetcher {
  readonly #agent: Agent;
  readonly #port: number;

  constructor({ dnsServers, port = 443, ca, mayConnect = isPublicAddress }: StsFetcherOptions) {
    this.#port = port;
    this.#agent = new Agent({
      connect: createConnector(mayConnect, createLookUp(dnsServers), ca === undefined ? {} : { ca }),
      connections: MAX_CONNECTIONS,
      pipelining: 0,
      headersTimeout: FETCH_MS,
      bodyTimeout: FETCH_MS,
      maxHeaderSize: 16_384,
    });
  }

  /** Never rejects. */
  async fetch(domain: string): Promise<StsFetch> {
    const url = new URL(stsPolicyUrl(domain));
    // A name of digits and dots would be read as an address.
    if (isIP(url.hostname) !== 0) return { outcome: 'failed', why: 'its host is no name' };
    url.port = String(this.#port);
    try {
      const signal = AbortSignal.timeout(FETCH_MS);
      const { statusCode, headers, body } = await request(url, { signal, dispatcher: this.#agent });
      if (statusCode !== 200) {
        body.on('error', () => {}).destroy();
        const isRedirect = statusCode >= 300 && statusCode < 400;
        const redirect = isRedirect ? ', and no redirect is followed' : '';
        return { outcome: 'failed', why: `its host answers ${statusCode}${redirect}` };
      }
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of body as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > MAX_BYTES) return { outcome: 'failed', why: `it has more than ${MAX_BYTES} bytes` };
        chunks.push(chunk);
      }
      return {
        outcome: 'found',
        text: Buffer.concat(chunks).toString(),
        mediaType: mediaTypeOf(headers['content-type']),
      };
    } catch (error) {
      return failureOf(error);
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

/** What a type may be called (RFC 9110 section 8.3.1); the header is a stranger's and is shown. */
const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]{1,64}\/[a-z0-9!#$&^_.+-]{1,64}$/;

function mediaTypeOf(header: string | string[] | undefined): string | null {
  const [text = ''] = String(header ?? '').split(';');
  const type = text.trim().toLowerCase();
  return MEDIA_TYPE.test(type) ? type : null;
}

const NO_ANSWER = /TIMEOUT|TimeoutError|ESERVFAIL|EREFUSED|ECANCELLED/i;

function failureOf(error: unknown): StsFetch {
  if (error instanceof AddressRefused)
    return { outcome: 'failed', why: 'its host has an address that is not public, or none' };
  const { name = '', code = '' } = error as { name?: string; code?: string };
  // Silence is no failure of theirs that we could prove.
  if (NO_ANSWER.test(name) || NO_ANSWER.test(code)) return { outcome: 'unknown' };
  if (code === 'ENOTFOUND' || code === 'ENODATA') return { outcome: 'failed', why: 'its host does not exist' };
  if (code === 'ECONNREFUSED') return { outcome: 'failed', why: 'its host refuses connections' };
  if (/CERT|SIGNED|SIGNATURE|SSL|TLS/.test(code))
    return { outcome: 'failed', why: `its host has a certificate that senders refuse (${code})` };
  return { outcome: 'failed', why: 'the connection to its host broke' };
}
