import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Socks5Server {
  readonly port: number;
  /** Requests to connect that were let through. */
  readonly connected: number;
  /** Cuts whatever is open and accepts no more. */
  close(): Promise<void>;
}

export interface Socks5Options {
  readonly login?: { readonly user: string; readonly password: string };
  /** Default: a free one. */
  readonly port?: number;
  /** The reply to each request instead of connecting (RFC 1928 section 6), or null for none at all. */
  readonly reply?: number | null;
  /** Our address towards the mail host. */
  readonly from?: string;
}

const SUCCEEDED = 0;
const REFUSED = 5;

/** A SOCKS5 proxy on loopback (RFC 1928, logins by RFC 1929): IPv4 and the command CONNECT only. */
export async function startSocks5Server(options: Socks5Options = {}): Promise<Socks5Server> {
  const sockets = new Set<Socket>();
  const state = { connected: 0 };
  const server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => {});
    client.on('close', () => sockets.delete(client));
    void serve(client, options, sockets, () => (state.connected += 1)).catch(() => client.destroy());
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get connected() {
      return state.connected;
    },
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function serve(client: Socket, options: Socks5Options, sockets: Set<Socket>, onConnected: () => void) {
  const { login, reply, from } = options;
  const [, methods] = await read(client, 2);
  const offered = await read(client, methods!);
  const method = login === undefined ? 0 : 2;
  client.write(Buffer.from([5, offered.includes(method) ? method : 0xff]));
  if (login !== undefined) {
    const [, userLength] = await read(client, 2);
    const user = (await read(client, userLength!)).toString();
    const password = (await read(client, (await read(client, 1))[0]!)).toString();
    const isRight = user === login.user && password === login.password;
    client.write(Buffer.from([1, isRight ? 0 : 1]));
    if (!isRight) return void client.end();
  }
  const request = await read(client, 10);
  const answer = (code: number) => client.write(Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]));
  if (reply === null) return;
  if (reply !== undefined) return void answer(reply);
  const host = [...request.subarray(4, 8)].join('.');
  const upstream = connect({ host, port: request.readUInt16BE(8), ...(from !== undefined && { localAddress: from }) });
  sockets.add(upstream);
  upstream.on('close', () => client.destroy());
  client.on('close', () => upstream.destroy());
  const refuse = () => answer(REFUSED);
  upstream.on('error', refuse);
  await once(upstream, 'connect');
  upstream.off('error', refuse).on('error', () => {});
  onConnected();
  answer(SUCCEEDED);
  upstream.on('data', (chunk) => client.write(chunk));
  client.on('data', (chunk) => upstream.write(chunk));
}

/** Exactly so many bytes. */
async function read(socket: Socket, bytes: number): Promise<Buffer> {
  for (;;) {
    const chunk = socket.read(bytes) as Buffer | null;
    if (chunk !== null) return chunk;
    if (socket.destroyed) throw new Error('closed');
    await Promise.race([once(socket, 'readable'), once(socket, 'close')]);
  }
}
