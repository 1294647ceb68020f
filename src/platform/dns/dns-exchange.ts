import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import packet, { type Packet } from 'dns-packet';

export interface DnsServerAddress {
  readonly host: string;
  readonly port: number;
}

/** What the server said is no answer to the question; the caller asks another one. */
export class DnsGarbled extends Error {
  constructor() {
    super('the answer does not fit the question');
    this.name = 'DnsGarbled';
  }
}

const MAX_TCP_BYTES = 65_537;

/** @param text `address`, `address:port` or `[address]:port` */
export function dnsServerAddress(text: string): DnsServerAddress {
  const bracketed = /^\[(.+)\](?::(\d+))?$/.exec(text);
  if (bracketed !== null) return { host: bracketed[1]!, port: Number(bracketed[2] ?? 53) };
  if (isIPv6(text)) return { host: text, port: 53 };
  const [host = '', port] = text.split(':');
  return { host, port: Number(port ?? 53) };
}

/**
 * Asks over UDP, and over TCP when the answer does not fit (RFC 7766). The socket takes packets of that server alone, from a port of its
 * own. Rejects with the signal's reason, or with the socket's error.
 */
export async function exchange(query: Packet, server: DnsServerAddress, signal: AbortSignal): Promise<Packet> {
  const bytes = packet.encode(query);
  const short = await overUdp(bytes, query, server, signal);
  return short.flag_tc ? overTcp(bytes, query, server, signal) : short;
}

type Answered = Packet & { readonly flag_tc?: boolean };

function overUdp(
  bytes: Buffer,
  query: Packet,
  { host, port }: DnsServerAddress,
  signal: AbortSignal,
): Promise<Answered> {
  const socket = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4' });
  return settled<Answered>(
    signal,
    () => socket.close(),
    (resolve, reject) => {
      socket.on('error', reject);
      socket.on('message', (message) => {
        // Somebody else's packet is not the end: the right one may still come.
        const answer = readAnswer(message, query);
        if (answer !== null) resolve(answer);
      });
      socket.connect(port, host, () => socket.send(bytes));
    },
  );
}

function overTcp(
  bytes: Buffer,
  query: Packet,
  { host, port }: DnsServerAddress,
  signal: AbortSignal,
): Promise<Answered> {
  const socket = connect({ host, port });
  return settled<Answered>(
    signal,
    () => socket.destroy(),
    (resolve, reject) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(bytes.length);
      let held = Buffer.alloc(0);
      socket.on('connect', () => socket.write(Buffer.concat([length, bytes])));
      socket.on('error', reject);
      socket.on('close', () => reject(new DnsGarbled()));
      socket.on('data', (chunk: Buffer) => {
        held = Buffer.concat([held, chunk]);
        if (held.length > MAX_TCP_BYTES) return reject(new DnsGarbled());
        if (held.length < 2 || held.length < 2 + held.readUInt16BE(0)) return;
        const answer = readAnswer(held.subarray(2, 2 + held.readUInt16BE(0)), query);
        if (answer === null) reject(new DnsGarbled());
        else resolve(answer);
      });
    },
  );
}

/** One outcome, after which nothing stays open. */
function settled<T>(
  signal: AbortSignal,
  close: () => void,
  begin: (resolve: (value: T) => void, reject: (error: unknown) => void) => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    begin(resolve, reject);
  }).finally(close);
}

/** Null: it is none to this question. */
function readAnswer(message: Buffer, query: Packet): Answered | null {
  try {
    const answer = packet.decode(message);
    const [asked, echoed] = [query.questions?.[0], answer.questions?.[0]];
    const fits = echoed?.type === asked?.type && echoed?.name.toLowerCase() === asked?.name.toLowerCase();
    return answer.type === 'response' && answer.id === query.id && fits ? answer : null;
  } catch {
    return null;
  }
}
