import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Agent, request } from 'undici';
import { readBounded } from '../../../lib/read-bounded.js';
import { Secrets } from '../../../platform/config/secrets.js';
import { SeedFault, shownText } from './seed-fault.js';
import { isPublicAddress } from '../../../mail-dns/public-address.js';
import { CLOCK, type WallClock } from '../../../platform/clock.js';
import { AddressRefused, createConnector } from '../../../platform/outbound/guarded-connector.js';
import { IMAP_ENVIRONMENT, type ImapEnvironment } from './mailbox-access.js';

/** What opens a mailbox: its password, or a token of OAuth 2 by which access tokens are asked for (XOAUTH2). */
export type SeedCredentials =
  | { readonly kind: 'password'; readonly password: string }
  | {
      readonly kind: 'oauth2';
      readonly tokenUrl: string;
      readonly clientId: string;
      readonly clientSecret: string | null;
      readonly refreshToken: string;
    };

/** Seals what opens mailboxes with `SECRETS_KEY`, and opens it for the worker that logs in; nobody is shown it again. */
@Injectable()
export class CredentialSeals {
  constructor(private readonly secrets: Secrets) {}

  /** @throws Error without `SECRETS_KEY` */
  seal(seedId: string, credentials: SeedCredentials): Buffer {
    return this.secrets.seal(JSON.stringify(credentials), contextOf(seedId));
  }

  /** @throws SeedFault when `SECRETS_KEY` does not have the key that sealed them */
  open(seedId: string, sealed: Buffer): SeedCredentials {
    try {
      return JSON.parse(this.secrets.open(sealed, contextOf(seedId))) as SeedCredentials;
    } catch {
      throw new SeedFault('secret_unreadable');
    }
  }
}

function contextOf(seedId: string): string {
  return `placement seed ${seedId}`;
}

type OAuthCredentials = Extract<SeedCredentials, { kind: 'oauth2' }>;

const MAX_BYTES = 65_536;
const ASK_MS = 10_000;
/** A token that ends so soon is not begun with. */
const SPARE_MS = 120_000;
/** RFC 6749 section 5.1: what is told without a time lasts as long as others. */
const DEFAULT_LIFE_S = 3_600;

/** Access tokens for XOAUTH2, asked for by refresh tokens (RFC 6749 section 6) and used again while they last. */
@Injectable()
export class AccessTokens implements OnApplicationShutdown {
  readonly #agent: Agent;
  readonly #known = new Map<
    string,
    { readonly refreshToken: string; readonly token: string; readonly until: number }
  >();

  constructor(
    @Inject(IMAP_ENVIRONMENT) world: ImapEnvironment,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {
    const { allowsPrivate, lookUp, ca } = world;
    const mayConnect = (address: string): boolean => allowsPrivate || isPublicAddress(address);
    this.#agent = new Agent({
      connect: createConnector(mayConnect, lookUp, ca === undefined ? {} : { ca }),
      headersTimeout: ASK_MS,
      bodyTimeout: ASK_MS,
      maxHeaderSize: 16_384,
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#agent.destroy();
  }

  /** @throws SeedFault */
  async get(seedId: string, credentials: OAuthCredentials): Promise<string> {
    const known = this.#known.get(seedId);
    const now = this.clock.now();
    if (known?.refreshToken === credentials.refreshToken && known.until > now) return known.token;
    const { token, lifeS } = await this.ask(credentials).catch((error: unknown) => {
      throw error instanceof SeedFault ? error : faultOf(error);
    });
    this.#known.set(seedId, {
      refreshToken: credentials.refreshToken,
      token,
      until: now + lifeS * 1_000 - SPARE_MS,
    });
    return token;
  }

  private async ask({ tokenUrl, clientId, clientSecret, refreshToken }: OAuthCredentials) {
    const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId });
    if (clientSecret !== null) form.set('client_secret', clientSecret);
    const { statusCode, body } = await request(tokenUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: form.toString(),
      signal: AbortSignal.timeout(ASK_MS),
      dispatcher: this.#agent,
    });
    const bytes = await readBounded(body as AsyncIterable<Buffer>, MAX_BYTES);
    if (bytes === null) throw new SeedFault('too_much_data');
    const reply = readReply(bytes.toString());
    const { access_token: token, expires_in: life, error } = reply;
    if (statusCode !== 200 || typeof token !== 'string' || token === '' || token.length > 16_384) {
      const why = typeof error === 'string' ? shownText(error, refreshToken) : `status ${statusCode}`;
      throw new SeedFault(statusCode >= 500 ? 'connection_failed' : 'token_refused', why);
    }
    return { token, lifeS: typeof life === 'number' && life > 0 && life < 1e6 ? life : DEFAULT_LIFE_S };
  }
}

function readReply(text: string): Readonly<Record<string, unknown>> {
  try {
    const reply: unknown = JSON.parse(text);
    return typeof reply === 'object' && reply !== null ? (reply as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function faultOf(error: unknown): SeedFault {
  if (error instanceof AddressRefused) return new SeedFault('address_refused');
  const { name = '', code = '' } = error as { name?: string; code?: string };
  if (/TIMEOUT|TimeoutError/i.test(`${name} ${code}`)) return new SeedFault('timeout');
  if (code === 'ENOTFOUND' || code === 'ENODATA') return new SeedFault('host_not_found');
  return new SeedFault(/CERT|SIGNED|SSL|TLS/.test(code) ? 'tls_failed' : 'connection_failed');
}
