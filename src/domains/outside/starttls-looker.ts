import { HOUR_MS } from '../../async/durations.js';
import { Semaphore } from '../../async/semaphore.js';
import type { AddressGuard } from '../../engine/dns/public-address.js';
import { lookAtStartTls, type StartTlsLook } from '../../engine/domain/tls/starttls.js';
import type { CancelSignal, Clock, Dialer, EgressSource } from '../../engine/ports.js';
import { Port25 } from '../../engine/smtp/connect/port25.js';
import { LruMap } from '../../memo/lru-map.js';

/** Mail hosts that one process looks at at once. */
const LOOK_CONCURRENCY = 16;
/** Of a host with many addresses a few are tried: when one answers, the others are the same host. */
const MAX_ADDRESSES = 2;
/** So long what is well is not looked at again: large operators have the same hosts for many domains. */
const WELL_MS = HOUR_MS;
const MAX_REMEMBERED = 10_000;

export interface StartTlsLookerOptions {
  readonly dialer: Dialer;
  readonly clock: Clock;
  readonly port: number;
  readonly mayConnect: AddressGuard;
  /** Our own address that asks now; null: none may. */
  readonly source: () => EgressSource | null;
  readonly isLeftAlone: (host: string) => boolean;
}

/**
 * Looks how mail hosts encrypt, from one of our own addresses, at public addresses only.
 *
 * Where port 25 does not leave this machine nobody answers: after a few silent hosts it asks one host a minute, and says of the others that
 * it could not look, as verification does.
 */
export class StartTlsLooker {
  readonly #permits = new Semaphore(LOOK_CONCURRENCY);
  readonly #well = new LruMap<string, { readonly look: StartTlsLook; readonly until: number }>(MAX_REMEMBERED);
  readonly #ports = new Map<string, Port25>();

  constructor(private readonly options: StartTlsLookerOptions) {}

  /** Never rejects. */
  async look(host: string, addresses: readonly string[], signal: CancelSignal): Promise<StartTlsLook> {
    const { mayConnect, isLeftAlone, source, clock } = this.options;
    // A name with one address that is not public is an attempt to reach it.
    if (!addresses.every((address) => mayConnect(address))) return { outcome: 'unknown', why: 'not_public' };
    if (isLeftAlone(host)) return { outcome: 'unknown', why: 'left_alone' };
    const key = `${host} ${addresses.join(' ')}`;
    const known = this.#well.get(key);
    if (known !== undefined && known.until > clock.now()) return known.look;
    const asking = source();
    if (asking === null) return { outcome: 'unknown', why: 'no_answer' };
    let permit;
    try {
      permit = await this.#permits.acquire(signal);
    } catch {
      // Its turn has not come in time.
      return { outcome: 'unknown', why: 'no_answer' };
    }
    try {
      const look = await this.#ask(host, addresses.slice(0, MAX_ADDRESSES), asking, signal);
      if (look.outcome === 'encrypted' && look.tls.distrust === null)
        this.#well.set(key, { look, until: clock.now() + WELL_MS });
      return look;
    } finally {
      permit.release();
    }
  }

  async #ask(
    host: string,
    addresses: readonly string[],
    source: EgressSource,
    signal: CancelSignal,
  ): Promise<StartTlsLook> {
    const { port } = this.options;
    const port25 = this.#portOf(source.name);
    let look: StartTlsLook = { outcome: 'unknown', why: 'no_answer' };
    for (const address of addresses) {
      if (signal.aborted) break;
      if (!port25.takeAttempt()) return { outcome: 'unknown', why: 'port25_blocked' };
      const answer = await lookAtStartTls({ host, address, port, source, signal }, this.options);
      ({ look } = answer);
      if (answer.isSilent) port25.recordSilence(address);
      else if (!signal.aborted) {
        port25.recordAnswer();
        break;
      }
    }
    return port25.isBlocked ? { outcome: 'unknown', why: 'port25_blocked' } : look;
  }

  #portOf(source: string): Port25 {
    let port = this.#ports.get(source);
    if (port === undefined) this.#ports.set(source, (port = new Port25(this.options.clock, () => {})));
    return port;
  }
}
