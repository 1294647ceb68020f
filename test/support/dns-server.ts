/** How a name, or one type of it, answers instead of with records. */
export type DnsBehaviour = 'nxdomain' | 'nodata' | 'servfail' | 'refused' | 'silent' | 'malformed';

export interface DnsZone {
  readonly A?: readonly string[] | DnsBehaviour;
  readonly AAAA?: readonly string[] | DnsBehaviour;
  /** Preference and exchange; `''` as exchange makes a null MX. */
  readonly MX?: readonly (readonly [number, string])[] | DnsBehaviour;
  readonly TXT?: readonly string[] | DnsBehaviour;
  readonly PTR?: readonly string[] | DnsBehaviour;
  readonly CNAME?: string;
  /** Default 300. */
  readonly ttlSeconds?: number;
  /** Waits so long before it answers. */
  readonly delayMs?: number;
  /** Answers over UDP with the TC bit and no records, over TCP in full. */
  readonly truncated?: boolean;
}

export type DnsReply = DnsZone | DnsBehaviour;

/** Asked for names that `zones` does not hold; undefined is NXDOMAIN. */
export type DnsHandler = (name: string, type: string) => DnsReply | undefined | Promise<DnsReply | undefined>;

export interface DnsQuestion {
  readonly name: string;
  readonly type: string;
  readonly transport: 'udp' | 'tcp';
}

export interface DnsServer {
  /** `127.0.0.1:PORT`, for UDP and TCP. */
  readonly address: string;
  /** What was asked so far, oldest first. */
  readonly questions: readonly DnsQuestion[];
  /** Adds or replaces a name; `*.example.com` stands for all names below it that are not named themselves. */
  set(name: string, reply: DnsReply): void;
  close(): Promise<void>;
}

export interface DnsServerOptions {
  readonly zones?: Readonly<Record<string, DnsReply>>;
  readonly answer?: DnsHandler;
}

export declare function startDnsServer(options?: DnsServerOptions): Promise<DnsServer>;
