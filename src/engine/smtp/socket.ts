import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { WireError, type Dialer, type Wire, type WireErrorKind, type WireListener } from '../ports.js';

const ERROR_KINDS: Readonly<Record<string, WireErrorKind>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ETIMEDOUT: 'timeout',
};

const LINGER_MS = 1_000;

/** What every socket reads into, one after the other: a buffer for each read was 1 µs an address. */
const RECEIVED = Buffer.allocUnsafeSlow(65_536);

function wireError(cause: Error & { code?: string }): WireError {
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

  constructor(socket: Socket) {
    this.#socket = socket;
    this.localAddress = socket.localAddress ?? '';
    this.#hear();
    // Until somebody listens.
    socket.pause();
  }

  listen(listener: WireListener): void {
    this.#listener = listener;
    this.#socket.resume();
  }

  received(chunk: Buffer): void {
    this.#listener?.data(chunk);
  }

  // Written once all replies that are here have been read: writes back to back cost less than half of what they cost with
  // work in between, in which the other side falls asleep.
  write(text: string): void {
    if (this.#unwritten === '') setImmediate(() => this.#flush());
    this.#unwritten += text;
  }

  #flush(): void {
    if (this.#unwritten !== '') this.#socket.write(this.#unwritten);
    this.#unwritten = '';
  }

  startTls(serverName: string): Promise<void> {
    this.#flush();
    const clear = this.#socket;
    clear.removeAllListeners();
    return new Promise((resolve, reject) => {
      const secure = connectTls({
        socket: clear,
        rejectUnauthorized: false,
        // Opportunistic (RFC 7435): old encryption is better than none, and some mail hosts speak nothing newer.
        minVersion: 'TLSv1',
        ciphers: 'DEFAULT@SECLEVEL=0',
        // RFC 6066 section 3: a server name is a host name, never an address.
        ...(isIP(serverName) === 0 ? { servername: serverName } : {}),
      });
      const settle = (failure: string | null) => {
        secure.removeAllListeners();
        this.#giveUpTls = null;
        if (failure === null) return resolve();
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
      // A peer that does not hang up in its turn is cut off, however much it still says.
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

/** The `Dialer` of the real network. The caller has checked that the address may be connected to. */
export function createSocketDialer(): Dialer {
  return {
    connect: ({ address, port, timeoutMs, signal }) =>
      new Promise((resolve, reject) => {
        let wire: SocketWire | null = null;
        const onRead = (bytes: number) => {
          wire?.received(RECEIVED.subarray(0, bytes));
          return true;
        };
        const options = {
          host: address,
          port,
          noDelay: true,
          onread: { buffer: RECEIVED, callback: onRead },
          // What `Socket` adds to its copy of the options: V8 gives each copy that grows a shape of its own, and 30 look-ups in that are slow.
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
          if (error === null) return resolve((wire = new SocketWire(socket)));
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
