import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { Semaphore } from '../../../lib/semaphore.js';
import {
  WireError,
  type Dialer,
  type PresentedTls,
  type Wire,
  type WireErrorKind,
  type WireListener,
} from '../../ports.js';
import { inspecting, opportunistic, presentedBy } from './tls-terms.js';

const ERROR_KINDS: Readonly<Record<string, WireErrorKind>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ETIMEDOUT: 'timeout',
};

const LINGER_MS = 1_000;

/** All sockets read into this buffer, one after the other: a buffer for each read is slower. */
const RECEIVED = Buffer.allocUnsafeSlow(65_536);

/** Permits to begin a handshake, each for one turn of the event loop: many in one turn would hold up everything else in the process. */
const HANDSHAKES = new Semaphore(8);

function wireError(cause: Error & { code?: string; syscall?: string }): WireError {
  if (cause.syscall === 'bind' || cause.code === 'EADDRNOTAVAIL') return new WireError('source', cause.message);
  return new WireError(ERROR_KINDS[cause.code ?? ''] ?? 'unreachable', cause.message);
}

/** A TCP or TLS stream of Node behind the `Wire` port. */
class SocketWire implements Wire {
  readonly localAddress: string;
  #socket: Socket;
  #listener: WireListener | null = null;
  #error: WireError | null = null;
  #unwritten = '';
  #giveUpTls: (() => void) | null = null;

  constructor(
    socket: Socket,
    private readonly authorities: readonly string[] | null = null,
  ) {
    this.#socket = socket;
    this.localAddress = socket.localAddress ?? '';
    this.#hear();
    // Until a listener is set.
    socket.pause();
  }

  listen(listener: WireListener): void {
    this.#listener = listener;
    this.#socket.resume();
  }

  received(chunk: Buffer): void {
    this.#listener?.data(chunk);
  }

  // Written when all replies that have arrived are read: writes back to back are cheaper than writes with work in between, during which
  // the other side falls asleep.
  write(text: string): void {
    if (this.#unwritten === '') setImmediate(() => this.#flush());
    this.#unwritten += text;
  }

  #flush(): void {
    if (this.#unwritten !== '') this.#socket.write(this.#unwritten);
    this.#unwritten = '';
  }

  async startTls(serverName: string): Promise<void> {
    await this.#secure(serverName, false);
  }

  async inspectTls(serverName: string): Promise<PresentedTls> {
    return presentedBy(await this.#secure(serverName, true));
  }

  async #secure(serverName: string, isInspected: boolean): Promise<TLSSocket> {
    this.#flush();
    const permit = await HANDSHAKES.acquire();
    setImmediate(() => permit.release());
    const clear = this.#socket;
    if (this.#listener === null || clear.destroyed) throw new WireError('tls', 'closed before the TLS handshake');
    clear.removeAllListeners();
    return new Promise((resolve, reject) => {
      const secure = connectTls({
        socket: clear,
        secureContext: isInspected ? inspecting(this.authorities) : opportunistic(),
        rejectUnauthorized: false,
        // Whether the names fit is judged by who asked what the host shows.
        checkServerIdentity: () => undefined,
        // RFC 6066 section 3: a server name is a host name, never an address.
        ...(isIP(serverName) === 0 ? { servername: serverName } : {}),
      });
      const settle = (failure: string | null) => {
        secure.removeAllListeners();
        this.#giveUpTls = null;
        if (failure === null) return resolve(secure);
        secure.on('error', () => {});
        secure.destroy();
        reject(new WireError('tls', failure));
      };
      this.#giveUpTls = () => settle('given up during the TLS handshake');
      this.#socket = secure;
      secure.once('error', (error) => settle(error.message));
      secure.once('close', () => settle('closed during the TLS handshake'));
      secure.once('secureConnect', () => {
        settle(null);
        this.#hear();
        secure.on('data', (chunk: Buffer) => this.received(chunk));
      });
    });
  }

  close(): Promise<void> {
    this.#listener = null;
    this.#giveUpTls?.();
    const socket = this.#socket;
    if (socket.destroyed) return Promise.resolve();
    this.#flush();
    return new Promise((resolve) => {
      // A peer that does not close its side is cut off, however much it still sends.
      const cutOff = setTimeout(() => socket.destroy(), LINGER_MS).unref();
      socket.once('close', () => {
        clearTimeout(cutOff);
        resolve();
      });
      socket.end();
      socket.resume();
    });
  }

  #hear(): void {
    const socket = this.#socket;
    socket.on('error', (error) => {
      this.#error = wireError(error);
    });
    socket.on('close', () => this.#listener?.closed(this.#error));
  }
}

/** A connection that something else has opened, a proxy's, behind the `Wire` port. */
export function wireOf(socket: Socket): Wire {
  const wire = new SocketWire(socket);
  socket.on('data', (chunk: Buffer) => wire.received(chunk));
  return wire;
}

/**
 * The `Dialer` of the real network. The caller has checked that the address may be connected to.
 * @param authorities certificates of those who are trusted in looks at what hosts show, in tests; null: whom this machine trusts
 */
export function createSocketDialer(authorities: readonly string[] | null = null): Dialer {
  return {
    connect: ({ address, port, timeoutMs, signal, source }) =>
      new Promise((resolve, reject) => {
        let wire: SocketWire | null = null;
        const onRead = (bytes: number) => {
          wire?.received(RECEIVED.subarray(0, bytes));
          return true;
        };
        const options = {
          host: address,
          port,
          localAddress: source?.address ?? undefined,
          noDelay: true,
          onread: { buffer: RECEIVED, callback: onRead },
          // The members that `Socket` adds to its copy of the options: V8 gives each copy that grows a shape of its own, with slow look-ups.
          allowHalfOpen: false,
          emitClose: false,
          autoDestroy: true,
          decodeStrings: false,
        };
        const socket = connectTcp(options);
        const settle = (error: WireError | null) => {
          socket.removeAllListeners();
          socket.setTimeout(0);
          signal?.removeEventListener('abort', abort);
          if (error === null) return resolve((wire = new SocketWire(socket, authorities)));
          socket.on('error', () => {});
          socket.destroy();
          reject(error);
        };
        const abort = () => settle(new WireError('timeout', 'given up'));
        socket.setTimeout(timeoutMs, () => settle(new WireError('timeout', 'connection timed out')));
        socket.once('connect', () => settle(null));
        socket.once('error', (error) => settle(wireError(error)));
        if (signal?.aborted) abort();
        else signal?.addEventListener('abort', abort, { once: true });
      }),
  };
}
