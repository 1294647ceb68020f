import { HOUR_MS } from '../../lib/durations.js';
import { Semaphore, type CancelSignal } from '../../lib/semaphore.js';
import type { AddressGuard } from '../../mail-dns/public-address.js';
import { askForStartTls, type StartTlsOutcome } from '../../engine/domain/starttls.js';
import type { Dialer, EgressSource } from '../../engine/ports.js';
import type { Clock } from '../../lib/clock.js';
import { Port25, type Port25Trial } from '../../engine/smtp/connect/port25.js';
import { LruMap } from '../../lib/lru-map.js';

/** Mail hosts that one process looks at at once. */
const PROBE_CONCURRENCY = 16;
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
  readonly isOptedOut: (host: string) => boolean;
  /** Asks mail hosts of our own choosing from the address. */
  readonly tryPort25: (source: EgressSource) => Promise<Port25Trial>;
}

/**
 * Looks how mail hosts encrypt, from one of our own addresses, at public addresses only.
 *
 * Where port 25 does not leave this machine nobody answers: then it asks nobody, and says that it could not look, as verification does.
 */
export class StartTlsLooker {
  readonly #permits = new Semaphore(PROBE_CONCURRENCY);
  readonly #well = new LruMap<string, { readonly look: StartTlsOutcome; readonly until: number }>(MAX_REMEMBERED);
  readonly #ports = new Map<string, Port25>();

  constructor(private readonly options: StartTlsLookerOptions) {}

  /** Port 25 is tried no more. */
  close(): void {
    for (const port of this.#ports.values()) port.close();
  }

  /** Never rejects. */
  async look(host: string, addresses: readonly string[], signal: CancelSignal): Promise<StartTlsOutcome> {
    const { mayConnect, isOptedOut, source, clock } = this.options;
    // A name with one address that is not public is an attempt to reach it.
    if (!addresses.every((address) => mayConnect(address))) return { outcome: 'unknown', why: 'not_public' };
    if (isOptedOut(host)) return { outcome: 'unknown', why: 'left_alone' };
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
  ): Promise<StartTlsOutcome> {
    const { port } = this.options;
    const port25 = this.#portOf(source);
    let look: StartTlsOutcome = { outcome: 'unknown', why: 'no_answer' };
    for (const address of addresses) {
      if (signal.aborted) break;
      if (port25.isBlocked) return { outcome: 'unknown', why: 'port25_blocked' };
      const answer = await askForStartTls({ host, address, port, source, signal }, this.options);
      ({ look } = answer);
      if (!answer.isSilent) {
        if (!signal.aborted) port25.recordAnswer();
        break;
      }
      if (await port25.explainsSilence()) return { outcome: 'unknown', why: 'port25_blocked' };
    }
    return look;
  }

  #portOf(source: EgressSource): Port25 {
    const { clock, tryPort25 } = this.options;
    const key = JSON.stringify([source.name, source.address, source.socks5]);
    let port = this.#ports.get(key);
    if (port === undefined) this.#ports.set(key, (port = new Port25({ clock, trial: () => tryPort25(source) })));
    return port;
  }
}
