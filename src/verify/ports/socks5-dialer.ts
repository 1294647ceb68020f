import { connect, type Socket } from 'node:net';
import { SocksClient } from 'socks';
import { WireError } from '../../engine/verification/engine.js';
import { type Dialer, type Socks5Proxy, type Wire, type WireErrorKind } from '../../engine/ports.js';

type Target = Parameters<Dialer['connect']>[0];

/** Replies of a proxy that speak of the mail host (RFC 1928 section 6), by the package's names for them; all others are the proxy's own trouble. */
const ABOUT_THE_HOST: Readonly<Record<string, WireErrorKind>> = {
  NetworkUnreachable: 'unreachable',
  HostUnreachable: 'unreachable',
  TTLExpired: 'timeout',
  ConnectionRefused: 'refused',
};

/** Bytes with which a proxy has chosen a method, and has taken user and password. */
const METHOD_BYTES = 2;
const LOGIN_BYTES = 2;

/**
 * Opens a connection to a mail host through a proxy. What goes wrong with the proxy itself, before it begins to connect or because it does not
 * want to, is a `WireError` of kind `source`: it says nothing of the host.
 */
export async function connectBySocks5(
  { host, port, user, password }: Socks5Proxy,
  { address, port: smtpPort, timeoutMs, signal }: Target,
  wireOf: (socket: Socket) => Wire,
): Promise<Wire> {
  const socket = connect({ host, port, noDelay: true });
  let isLate = false;
  let isGivenUp = false;
  const cutOff = () => {
    isLate = true;
    socket.destroy();
  };
  const abort = () => {
    isGivenUp = true;
    socket.destroy();
  };
  const timer = setTimeout(cutOff, timeoutMs).unref();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    if (signal?.aborted) abort();
    await opened(socket);
    await SocksClient.createConnection({
      existing_socket: socket,
      command: 'connect',
      // The package's own limit is a second stop: the timer above knows who is late.
      timeout: timeoutMs + 1_000,
      proxy: { host, port, type: 5, ...(user !== null && { userId: user, password: password ?? '' }) },
      destination: { host: address, port: smtpPort },
    });
    return wireOf(socket);
  } catch (error) {
    socket.on('error', () => {});
    socket.destroy();
    if (isGivenUp) throw new WireError('timeout', 'given up');
    const isProxyReady = socket.bytesRead >= METHOD_BYTES + (user === null ? 0 : LOGIN_BYTES);
    if (isLate && isProxyReady) throw new WireError('timeout', 'connection timed out');
    const { message } = error as Error;
    const [, reply = ''] = /rejected connection - (\w+)$/.exec(message) ?? [];
    throw new WireError(ABOUT_THE_HOST[reply] ?? 'source', isLate ? 'the proxy does not answer' : `proxy: ${message}`);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

function opened(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error: Error | null) => {
      socket.removeAllListeners();
      if (error === null) resolve();
      else reject(error);
    };
    socket.once('connect', () => settle(null));
    socket.once('error', settle);
    socket.once('close', () => settle(new Error('closed')));
  });
}
