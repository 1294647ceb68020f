import { isIP } from 'node:net';
import type { StsFetch } from '../../engine/domain/sts-policy.js';
import { stsPolicyUrl } from '../../engine/domain/sts-policy.js';
import { AddressRefused } from '../../platform/outbound/guarded-connector.js';
import { GuardedFetch, type GuardedFetchOptions, isSilence, TooLarge } from './guarded-fetch.js';

/** RFC 8461 section 3.3 wants senders to bound time and size: a minute and 64 kilobytes. */
const LIMITS = { withinMs: 10_000, maxBytes: 65_536 };

/** Fetches policies of MTA-STS, as RFC 8461 section 3.3 wants it: no redirect is followed. The customer names the host. */
export class StsFetcher {
  readonly #fetch: GuardedFetch;

  constructor(options: GuardedFetchOptions) {
    this.#fetch = new GuardedFetch(options);
  }

  /** Never rejects. */
  async fetch(domain: string): Promise<StsFetch> {
    const url = new URL(stsPolicyUrl(domain));
    // A name of digits and dots would be read as an address.
    if (isIP(url.hostname) !== 0) return { outcome: 'failed', why: 'its host is no name' };
    try {
      const { status, headers, body } = await this.#fetch.get(url, LIMITS);
      if (status !== 200) {
        const redirect = status >= 300 && status < 400 ? ', and no redirect is followed' : '';
        return { outcome: 'failed', why: `its host answers ${status}${redirect}` };
      }
      return { outcome: 'found', text: body.toString(), mediaType: mediaTypeOf(headers['content-type']) };
    } catch (error) {
      return failureOf(error);
    }
  }

  async close(): Promise<void> {
    await this.#fetch.close();
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
