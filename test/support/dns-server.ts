import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';

import packet, { type Answer, type Packet } from 'dns-packet';

/** How a name, or one type of it, answers instead of with records. `malformed` is a reply cut off in mid-record. */
export type DnsBehaviour = 'nxdomain' | 'nodata' | 'servfail' | 'refused' | 'silent' | 'malformed';

/** A name's records by type; a type that is not there is NODATA. Every type can have a behaviour of its own. */
export interface DnsZone {
  readonly A?: readonly string[] | DnsBehaviour;
  readonly AAAA?: readonly string[] | DnsBehaviour;
  /** Preference and exchange; `''` or `'.'` as exchange is a null MX. */
  readonly MX?: readonly (readonly [number, string])[] | DnsBehaviour;
  /** A record of several strings as a list of them. */
  readonly TXT?: readonly (string | string[])[] | DnsBehaviour;
  readonly PTR?: readonly string[] | DnsBehaviour;
  readonly NS?: readonly string[] | DnsBehaviour;
  /** Key tags of keys that the parent vouches for. */
  readonly DS?: readonly number[] | DnsBehaviour;
  /** What the resolver makes of its signatures: `secure` sets the AD bit, and `bogus` answers only who does not want it checked (CD). */
  readonly dnssec?: 'secure' | 'bogus';
  /** Followed as a recursive server does; other types of this name are not looked at. */
  readonly CNAME?: string;
  /** Default 300. */
  readonly ttlSeconds?: number;
  /** Waits so long before it answers. */
  readonly delayMs?: number;
  /** Answers over UDP with the TC bit and no records, over TCP in full. */
  readonly truncated?: boolean;
}

export type DnsReply = DnsZone | DnsBehaviour;

/** Asked for names that are not set; undefined is NXDOMAIN. A promise lets a test hold an answer back. */
export type DnsHandler = (name: string, type: string) => DnsReply | undefined | Promise<DnsReply | undefined>;

export interface DnsQuestion {
  /** Lower-case. */
  readonly name: string;
  readonly type: string;
  readonly transport: 'udp' | 'tcp';
}

/** A domain with a mail host that every one of these servers knows, unlike all other names beside it; for `DNS_KNOWN_DOMAINS`. */
export const KNOWN_DOMAIN = 'domain.known.test';
const KNOWN_ZONES: Readonly<Record<string, DnsReply>> = {
  [KNOWN_DOMAIN]: { MX: [[10, 'mx.domain.known.test']] },
  '*.known.test': 'nxdomain',
};

/** Where no name server is, so that a test which names none asks nobody outside. */
export const NO_DNS_SERVER = '127.0.0.1:9';

export interface DnsServer {
  /** `127.0.0.1:PORT`, or `[::1]:PORT`; UDP and TCP. */
  readonly address: string;
  /** What was asked so far, oldest first, but for what a check of the resolver asks about the domain that it must know. */
  readonly questions: readonly DnsQuestion[];
  /** Adds or replaces a name; `*.example.com` stands for all names below it that are not set themselves. */
  set(name: string, reply: DnsReply): void;
  close(): Promise<void>;
}

export interface DnsServerOptions {
  readonly zones?: Readonly<Record<string, DnsReply>>;
  readonly answer?: DnsHandler;
  /** Default `127.0.0.1`. */
  readonly host?: '127.0.0.1' | '::1';
}

const RCODES: Readonly<Record<string, number>> = { servfail: 2, nxdomain: 3, refused: 5 };
/** What goes into one UDP packet without fragments (the EDNS size that name servers agreed on in 2020). */
const UDP_BYTES = 1232;
const MAX_ALIASES = 8;

/** A recursive name server on loopback that answers from the given data: real packets, a free port, no internet. */
export async function startDnsServer(options: DnsServerOptions = {}): Promise<DnsServer> {
  const { zones = {}, answer = () => undefined, host = '127.0.0.1' } = options;
  const names = new Map<string, DnsReply>();
  const set = (name: string, zone: DnsReply) => void names.set(name.toLowerCase(), zone);
  for (const [name, zone] of Object.entries({ ...KNOWN_ZONES, ...zones })) set(name, zone);

  const questions: DnsQuestion[] = [];
  const find: DnsHandler = (name, type) => names.get(name) ?? wildcard(names, name) ?? answer(name, type);

  async function reply(bytes: Buffer, transport: 'udp' | 'tcp'): Promise<Buffer | null> {
    const query = packet.decode(bytes);
    const question = query.questions?.[0];
    if (!question) return null;
    const name = question.name.toLowerCase();
    if (!name.endsWith('.known.test')) questions.push({ name, type: question.type, transport });
    const resolved = await resolve(find, name, question.type);
    const isUnchecked = ((query.flags ?? 0) & packet.CHECKING_DISABLED) > 0;
    const isRefused = resolved.dnssec === 'bogus' && !isUnchecked;
    return encode(query, isRefused ? { ...resolved, behaviour: 'servfail', answers: [] } : resolved, transport);
  }

  const { udp, tcp, port } = await bindBoth(host);
  const connections = new Set<Socket>();
  let open = true;
  udp.on('message', (bytes: Buffer, from: RemoteInfo) => {
    void reply(bytes, 'udp').then((out) => out && open && udp.send(out, from.port, from.address));
  });
  tcp.on('connection', (socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket)).on('error', () => socket.destroy());
    onMessages(socket, (bytes) => {
      void reply(bytes, 'tcp').then((out) => out && socket.write(withLength(out)));
    });
  });

  return {
    address: host === '::1' ? `[::1]:${port}` : `${host}:${port}`,
    questions,
    set,
    async close() {
      open = false;
      for (const socket of connections) socket.destroy();
      await Promise.all([
        new Promise<void>((done) => udp.close(() => done())),
        new Promise<void>((done) => tcp.close(() => done())),
      ]);
    },
  };
}

/** The closest wildcard above a name (RFC 4592). */
function wildcard(names: ReadonlyMap<string, DnsReply>, name: string): DnsReply | undefined {
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const reply = names.get(`*${name.slice(dot)}`);
    if (reply !== undefined) return reply;
  }
  return undefined;
}

interface Resolved {
  readonly behaviour: DnsBehaviour | 'records';
  readonly answers: readonly Answer[];
  readonly truncated: boolean;
  readonly dnssec?: DnsZone['dnssec'];
}

async function resolve(find: DnsHandler, asked: string, type: string): Promise<Resolved> {
  const answers: Answer[] = [];
  let truncated = false;
  let name = asked;
  for (let alias = 0; alias < MAX_ALIASES; alias += 1) {
    const reply = (await find(name, type)) ?? 'nxdomain';
    if (typeof reply === 'string') return { behaviour: reply, answers, truncated };
    if (reply.delayMs) await after(reply.delayMs);
    truncated ||= reply.truncated ?? false;
    if (reply.CNAME === undefined) {
      const records = recordsOf(name, type, reply);
      const { dnssec } = reply;
      if (typeof records === 'string') return { behaviour: records, answers, truncated, dnssec };
      return { behaviour: 'records', answers: [...answers, ...records], truncated, dnssec };
    }
    answers.push({ type: 'CNAME', name, ttl: reply.ttlSeconds ?? 300, data: reply.CNAME });
    name = reply.CNAME.toLowerCase();
  }
  return { behaviour: 'servfail', answers: [], truncated };
}

function recordsOf(name: string, type: string, zone: DnsZone): Answer[] | DnsBehaviour {
  const ttl = zone.ttlSeconds ?? 300;
  if (type === 'MX') {
    if (typeof zone.MX === 'string') return zone.MX;
    return (zone.MX ?? []).map(([preference, exchange]) => ({ type, name, ttl, data: { preference, exchange } }));
  }
  if (type === 'DS') {
    if (typeof zone.DS === 'string') return zone.DS;
    const digest = { algorithm: 13, digestType: 2, digest: Buffer.alloc(32) };
    return (zone.DS ?? []).map((keyTag) => ({ type, name, ttl, data: { keyTag, ...digest } }));
  }
  if (type !== 'A' && type !== 'AAAA' && type !== 'TXT' && type !== 'PTR' && type !== 'NS') return [];
  const records = zone[type] ?? [];
  return typeof records === 'string' ? records : records.map((data) => ({ type, name, ttl, data }) as Answer);
}

function encode(query: Packet, resolved: Resolved, transport: 'udp' | 'tcp'): Buffer | null {
  const { behaviour, answers, truncated, dnssec } = resolved;
  if (behaviour === 'silent') return null;
  const flags =
    packet.RECURSION_DESIRED |
    packet.RECURSION_AVAILABLE |
    (RCODES[behaviour] ?? 0) |
    (dnssec === 'secure' ? packet.AUTHENTIC_DATA : 0);
  const head = { type: 'response', id: query.id, questions: query.questions } as const;
  const whole = packet.encode({ ...head, flags, answers: [...answers] });
  if (behaviour === 'malformed') return cutOff(whole);
  if (transport === 'tcp' || (!truncated && whole.length <= UDP_BYTES)) return whole;
  return packet.encode({ ...head, flags: flags | packet.TRUNCATED_RESPONSE, answers: [] });
}

/** The header promises an answer, of which only the first bytes follow. */
function cutOff(reply: Buffer): Buffer {
  const broken = Buffer.concat([reply, Buffer.from([0xc0, 0x0c, 0x00])]);
  broken.writeUInt16BE(broken.readUInt16BE(6) + 1, 6);
  return broken;
}

/** Messages over TCP carry their length in front (RFC 1035 section 4.2.2). */
function onMessages(socket: Socket, message: (bytes: Buffer) => void): void {
  let held = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    held = Buffer.concat([held, chunk]);
    while (held.length >= 2 && held.length >= 2 + held.readUInt16BE(0)) {
      const end = 2 + held.readUInt16BE(0);
      message(held.subarray(2, end));
      held = held.subarray(end);
    }
  });
}

function withLength(bytes: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** The same free port for UDP and TCP: TCP may find the one that UDP got taken, so another is tried. */
async function bindBoth(host: '127.0.0.1' | '::1'): Promise<{ udp: UdpSocket; tcp: Server; port: number }> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const udp = createSocket(host === '::1' ? 'udp6' : 'udp4');
    udp.bind(0, host);
    await once(udp, 'listening');
    const { port } = udp.address();
    const tcp = createServer();
    tcp.listen(port, host);
    try {
      await once(tcp, 'listening');
      return { udp, tcp, port };
    } catch {
      udp.close();
    }
  }
  throw new Error('no port is free for both UDP and TCP');
}
