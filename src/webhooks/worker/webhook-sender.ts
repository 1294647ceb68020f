import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { isIP, isIPv6 } from 'node:net';
import { Agent, type Dispatcher, request } from 'undici';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { WEBHOOK_RETRIES, type WebhookRetries } from '../../platform/config/policies.js';
import { checkUrl, type UrlRules, urlRulesOf } from '../url-rules.js';
import {
  AddressRefused,
  checkedAddresses,
  createConnector,
  LOOKUP,
  type AddressLookup,
} from '../../platform/outbound/guarded-connector.js';

/** Where a delivery goes: an address of its URL's host that may be connected to, or why there is none. */
export type Destination = { readonly lookUpMs: number } & (
  { readonly address: string } | { readonly error: AttemptError }
);

/** The HTTP request of an attempt. */
export interface Outgoing {
  readonly url: string;
  readonly destination: Destination;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The result of one attempt. */
export interface Outcome {
  /** Null when no response came. */
  readonly status: number | null;
  /** Why no response came; null when one did. */
  readonly error: AttemptError | null;
  readonly latencyMs: number;
  /** At most the first 1 KiB. */
  readonly reply: string;
  /** The header as the endpoint sent it. */
  readonly retryAfter: string | null;
}

/** Why an attempt had no status (docs/webhooks.md#delivery). */
export const ATTEMPT_ERRORS = [
  'timeout',
  'address_refused',
  'host_not_found',
  'dns_unanswered',
  'resolver_untrusted',
  'connection_refused',
  'connection_closed',
  'tls_failed',
  'connection_failed',
  'secret_unreadable',
  'internal_error',
] as const;

export type AttemptError = (typeof ATTEMPT_ERRORS)[number];

const MAX_REPLY_BYTES = 1_024;
/** Only the status counts, so a slow body is not waited for. */
const REPLY_WITHIN_MS = 1_000;
const IDLE_CONNECTION_MS = 10_000;

/** Makes single attempts: one POST, no redirects, within the deadline, to allowed addresses only. */
@Injectable()
export class WebhookSender implements OnApplicationShutdown {
  private readonly agent: Agent;
  private readonly rules: UrlRules;

  constructor(
    @Inject(ENV) env: Env,
    @Inject(WEBHOOK_RETRIES) private readonly retries: WebhookRetries,
    @Inject(LOOKUP) private readonly lookUp: AddressLookup,
    @Inject(TIMER) private readonly timer: Timer,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {
    this.rules = urlRulesOf(env);
    this.agent = new Agent({
      connect: createConnector(this.rules.mayConnect, lookUp),
      keepAliveTimeout: IDLE_CONNECTION_MS,
      // `send` sets one deadline for the whole attempt.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.destroy();
  }

  /** Looks the host of a URL up. Never rejects. */
  async destinationOf(url: string): Promise<Destination> {
    const startedAt = this.clock.now();
    const lookUpMs = (): number => Math.max(0, Math.round(this.clock.now() - startedAt));
    try {
      return { address: await this.addressOf(url), lookUpMs: lookUpMs() };
    } catch (error) {
      return { error: lookupErrorOf(error), lookUpMs: lookUpMs() };
    }
  }

  private async addressOf(url: string): Promise<string> {
    // The rules may have become stricter since the endpoint was registered.
    const checked = checkUrl(url, this.rules);
    if ('problem' in checked) throw new AddressRefused(url);
    const { host } = checked;
    // `checkUrl` has checked an address that stands in the URL itself.
    if (isIP(host) !== 0) return host;
    const addresses = await checkedAddresses(host, this.rules.mayConnect, this.lookUp);
    // More machines are reached by IPv4. Another attempt tries another one of them.
    const preferred = addresses.filter(({ family }) => family === 4);
    const some = preferred.length > 0 ? preferred : addresses;
    return some[Math.floor(Math.random() * some.length)]!.address;
  }

  /** Never rejects, unless `signal` aborts it: then the result of the attempt is unknown. */
  async send(outgoing: Outgoing, signal: AbortSignal): Promise<Outcome> {
    const startedAt = this.clock.now();
    // A signal that is aborted already tells no listener.
    signal.throwIfAborted();
    const attempt = new AbortController();
    const end = () => attempt.abort();
    signal.addEventListener('abort', end, { once: true });
    const cancel = this.timer.after(this.retries.deadlineSeconds * 1000, end);
    const answer = await this.ask(outgoing, attempt.signal).catch((error: unknown) => {
      signal.throwIfAborted();
      return failureOf(error, attempt.signal.aborted);
    });
    cancel();
    signal.removeEventListener('abort', end);
    const sentMs = Math.max(0, Math.round(this.clock.now() - startedAt));
    return { ...answer, latencyMs: outgoing.destination.lookUpMs + sentMs };
  }

  private async ask(
    { url, destination, headers, body }: Outgoing,
    signal: AbortSignal,
  ): Promise<Omit<Outcome, 'latencyMs'>> {
    if ('error' in destination) return { status: null, error: destination.error, reply: '', retryAfter: null };
    const to = new URL(url);
    const { host } = to;
    // The connection is made to the very address that was counted; `host` is what TLS asks the certificate for, too.
    to.hostname = isIPv6(destination.address) ? `[${destination.address}]` : destination.address;
    const options = { method: 'POST', headers: { ...headers, host }, body, signal, dispatcher: this.agent } as const;
    const response = await request(to, options);
    const { statusCode: status, headers: sent } = response;
    const retryAfter = sent['retry-after'];
    return {
      status,
      error: null,
      reply: await this.readStart(response.body),
      retryAfter: typeof retryAfter === 'string' ? retryAfter.trim() : null,
    };
  }

  /** The part of the response that came in time. A connection stays open only when its response was read to the end. */
  private async readStart(body: Dispatcher.ResponseData['body']): Promise<string> {
    const cancel = this.timer.after(REPLY_WITHIN_MS, () => body.destroy());
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        chunks.push(chunk);
        size += chunk.length;
        if (size > MAX_REPLY_BYTES) break;
      }
    } catch {
      // A broken body changes nothing, because the status has come.
    }
    cancel();
    return textOf(Buffer.concat(chunks).subarray(0, MAX_REPLY_BYTES));
  }
}

/** PostgreSQL's text holds no NUL, and the limit of bytes may have cut a character. */
function textOf(bytes: Buffer): string {
  return bytes
    .toString('utf8')
    .replaceAll('\0', '')
    .replace(/\uFFFD$/, '');
}

const CODES: Readonly<Record<string, AttemptError>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_closed',
  EPIPE: 'connection_closed',
  UND_ERR_SOCKET: 'connection_closed',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
};

function failureOf(error: unknown, isLate: boolean): Omit<Outcome, 'latencyMs'> {
  return { status: null, error: isLate ? 'timeout' : errorOf(error), reply: '', retryAfter: null };
}

/** Whatever kept the DNS from answering is no word about the host, and what our resolver says while it lies is one about us. */
function lookupErrorOf(error: unknown): AttemptError {
  if (error instanceof AddressRefused) return 'address_refused';
  const { code = '' } = error as { code?: string };
  if (code === 'EUNTRUSTED') return 'resolver_untrusted';
  return code === 'ENOTFOUND' || code === 'ENODATA' ? 'host_not_found' : 'dns_unanswered';
}

function errorOf(error: unknown): AttemptError {
  if (error instanceof AddressRefused) return 'address_refused';
  const { code = '' } = error as { code?: string };
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|EPROTO)/.test(code))
    return 'tls_failed';
  return CODES[code] ?? 'connection_failed';
}
