import { isIP } from 'node:net';
import { readCluster, readSentinels } from './redis-address.js';
import {
  flag,
  isDnsServer,
  isName,
  isNetwork,
  isPortRange,
  listOf,
  NAME,
  oneOf,
  text,
  time,
  urlWith,
  type VariableType,
  whole,
} from './variable-types.js';

/* RFC 1123 section 2.1; the last label is not all digits, so an IP address does not pass for a name. */
const HOST_NAME = /^(?=.{1,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)*(?!\d+$)[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/i;

/* It may have several parts, each on lines of its own. */
const PEM = /^-----BEGIN [A-Z ]{1,40}-----\s[\s\S]{1,60000}-----$/;

const THIS_MACHINE = text(/^[\w.:%-]{1,255}$/, 'a host name or an IP address of this machine');
const PORT = whole(1, 65_535);
const NETWORKS = listOf('a comma list of IP addresses and networks such as 10.0.0.0/8', isNetwork);
const FILE = text(/^[^\0]{1,1024}$/, 'a file');
/* It becomes a label of a name. */
const LIST_KEY = text(/^[a-z\d]{8,63}$/i, 'the key of a list, letters and digits');
const POSTGRES = urlWith(['postgres:', 'postgresql:'], false, 'a URL such as postgres://user:password@host:5432/name');
const UP_TO_A_MILLION = whole(0, 1_000_000);
const isAddress = (given: string): boolean => isIP(given) !== 0;

export interface Variable<Value> {
  readonly name: string;
  /** Its value where it is not set. */
  readonly preset: Value;
  readonly type: VariableType<NonNullable<Value>>;
  /** Whether it may stand in a file, which the same variable with `_FILE` names, as orchestrators mount secrets and texts of many lines. */
  readonly mayBeFile: boolean;
}

function variable<Value>(name: string, preset: NoInfer<Value>, type: VariableType<Value>): Variable<Value> {
  return { name, preset, type: type as VariableType<NonNullable<Value>>, mayBeFile: false };
}

function optional<Value>(name: string, type: VariableType<Value>): Variable<Value | null> {
  return variable<Value | null>(name, null, type);
}

function secret(name: string, type: VariableType<string>): Variable<string | null> {
  return { ...optional(name, type), mayBeFile: true };
}

/** Every environment variable by its name in the code, with its default and its allowed values. `.env.example` says why each exists. */
export const VARIABLES = {
  host: variable('HOST', '127.0.0.1', THIS_MACHINE),
  port: variable('PORT', 3000, PORT),
  /** The port of metrics; null: there is none. */
  metricsPort: optional('METRICS_PORT', PORT),
  metricsHost: variable('METRICS_HOST', '127.0.0.1', THIS_MACHINE),
  publicUrl: optional(
    'PUBLIC_URL',
    urlWith(['http:', 'https:'], true, 'an http or https URL without a query, such as https://mail.example.com'),
  ),
  securityContact: optional(
    'SECURITY_CONTACT',
    text(
      /^(mailto:[^\s<>@"]{1,64}@[^\s<>@"]{1,253}|https:\/\/[^\s<>"]{1,2048})$/,
      'a URL such as mailto:security@example.com or https://example.com/security, with SECURITY_EXPIRES',
    ),
  ),
  securityExpires: optional('SECURITY_EXPIRES', time()),
  role: variable('ROLE', 'all', oneOf('all', 'api', 'worker')),
  /** Null: the embedded PostgreSQL. */
  databaseUrl: secret('DATABASE_URL', POSTGRES),
  /** A replica of it, for reads; null: there is none. */
  databaseReadUrl: secret('DATABASE_READ_URL', POSTGRES),
  /** Null: the embedded Redis. */
  redisUrl: secret(
    'REDIS_URL',
    urlWith(
      ['redis:', 'rediss:'],
      false,
      'a URL such as redis://:password@host:6379/0, redis+sentinel://:password@host:26379,host:26379/name/0 or redis+cluster://:password@host:6379,host:6379',
      (given) => readSentinels(given) !== null || readCluster(given) !== null,
    ),
  ),
  /** The time that a start waits for a configured PostgreSQL or Redis. */
  startWaitSeconds: variable('START_WAIT', 60, whole(0, 3_600)),
  dataDir: variable('DATA_DIR', '.mailsonde', text(/^[^\0]{1,1024}$/, 'a directory')),
  /** DNS servers; empty: the system's. */
  dnsServers: variable(
    'DNS_SERVERS',
    [],
    listOf('a comma list of address[:port], such as 192.0.2.53,[2001:db8::53]:5353', isDnsServer),
  ),
  /** Domains with MX records that the DNS must know, or it is not believed. */
  dnsKnownDomains: variable(
    'DNS_KNOWN_DOMAINS',
    ['gmail.com', 'outlook.com', 'icloud.com'],
    listOf(
      'a comma list of domains such as gmail.com, one at least',
      (name) => name.includes('.') && HOST_NAME.test(name),
      1,
    ),
  ),
  /** Keys of block lists, which become a part of their names; null: there is none. */
  spamhausKey: secret('SPAMHAUS_DQS_KEY', LIST_KEY),
  abusixKey: secret('ABUSIX_KEY', LIST_KEY),
  spamratsKey: secret('SPAMRATS_KEY', LIST_KEY),
  /** Block lists with which the operator has registered, or whose terms the operator has read, by their ids. */
  blacklistsRegistered: variable(
    'BLACKLISTS_REGISTERED',
    [],
    listOf('a comma list of ids of config/blacklists.json, such as barracuda,spamcop', (id) =>
      /^[a-z0-9]+(-[a-z0-9]+)*$/.test(id),
    ),
  ),
  /** Nothing is charged for what block lists answer. */
  blacklistsNonCommercial: variable('BLACKLISTS_NON_COMMERCIAL', false, flag()),
  smtpPort: variable('SMTP_PORT', 25, PORT),
  /** Connections to mail hosts at once, all hosts together, in one process. */
  smtpConnections: variable('SMTP_CONNECTIONS', 1_500, whole(1, 100_000)),
  heloName: optional('HELO_NAME', text(HOST_NAME, 'a host name such as probe.example.com')),
  mailFrom: optional(
    'MAIL_FROM',
    text(/^[^\s<>@"]{1,64}@[^\s<>@"]{1,253}$/, 'an email address such as postmaster@example.com'),
  ),
  /** The mail server that sends our own letters; null: none are sent. */
  mailSmtpUrl: secret(
    'MAIL_SMTP_URL',
    urlWith(['smtp:', 'smtps:'], false, 'a URL such as smtp://user:password@mail.example.com:587'),
  ),
  /** Our own addresses that mail hosts are asked from; null: `config/egress.json`, if there is one. */
  egressFile: optional('EGRESS_FILE', FILE),
  /** The sources that this process uses, by name; empty: all of its region. */
  egress: variable('EGRESS', [], listOf('a comma list of names of sources, such as north,south-1', isName)),
  /** Whose sources this process uses, beside those without a region; null: those of all. */
  region: optional('REGION', text(NAME, 'a name such as eu')),
  /** Networks (CIDR or single addresses) that mail hosts may have although these are not public. */
  mxAllowedNetworks: variable('MX_ALLOWED_NETWORKS', [], NETWORKS),
  /** Mail for this domain comes to our receiver, which listens on this host and port; port 0: any that is free. */
  inboundDomain: variable('INBOUND_DOMAIN', 'inbound.localhost', text(HOST_NAME, 'a domain such as in.example.net')),
  inboundHost: variable('INBOUND_HOST', '127.0.0.1', THIS_MACHINE),
  inboundPort: variable('INBOUND_PORT', 2525, whole(0, 65_535)),
  inboundTlsCert: secret('INBOUND_TLS_CERT', text(PEM, 'a certificate chain in PEM, with INBOUND_TLS_KEY')),
  inboundTlsKey: secret('INBOUND_TLS_KEY', text(PEM, 'the private key of INBOUND_TLS_CERT in PEM, without a password')),
  /** Mail servers in front of the receiver, which may say for whom they speak (XCLIENT, XFORWARD). */
  inboundProxies: variable('INBOUND_PROXIES', [], listOf('a comma list of IP addresses such as 10.0.0.5', isAddress)),
  /** Load balancers in front of it, which begin each connection by saying from whom it comes (PROXY protocol). */
  inboundProxyProtocol: variable(
    'INBOUND_PROXY_PROTOCOL',
    [],
    listOf('a comma list of IP addresses such as 10.0.0.6', isAddress),
  ),
  /** Spam filters that messages are shown to; null: there is none. */
  rspamdUrl: optional(
    'RSPAMD_URL',
    urlWith(['http:', 'https:'], true, 'an http or https URL such as http://127.0.0.1:11333'),
  ),
  rspamdPassword: secret('RSPAMD_PASSWORD', text(/^[\x21-\x7e]{1,200}$/, 'the password of the controller of rspamd')),
  spamd: optional(
    'SPAMD',
    text(/^(\[[\da-f:.]{2,45}\]|[\w.-]{1,253}):\d{1,5}$/i, 'a host and a port such as 127.0.0.1:783'),
  ),
  agentDailyCapacity: variable('AGENT_DAILY_CAPACITY', 10_000, whole(0, 1_000_000_000)),
  /** Registrations from one client address. */
  registrationsPerHour: variable('REGISTRATIONS_PER_HOUR', 5, UP_TO_A_MILLION),
  registrationsPerDay: variable('REGISTRATIONS_PER_DAY', 20, UP_TO_A_MILLION),
  registrationsPerHourGlobal: variable('REGISTRATIONS_PER_HOUR_GLOBAL', 1000, UP_TO_A_MILLION),
  /** Refused keys a minute from one client network. */
  failedKeysPerMinute: variable('FAILED_KEYS_PER_MINUTE', 600, whole(1, 1_000_000)),
  /** Calls of `POST /try` a minute from one client network. */
  triesPerMinute: variable('TRIES_PER_MINUTE', 30, UP_TO_A_MILLION),
  /** Open connections from one client network. */
  connectionsPerClient: variable('CONNECTIONS_PER_CLIENT', 1000, whole(1, 1_000_000)),
  /** Proxies (CIDR or single addresses) whose `X-Forwarded-For` is believed. */
  trustedProxies: variable('TRUSTED_PROXIES', [], NETWORKS),
  retentionDays: variable('RETENTION_DAYS', 30, whole(1, 3650)),
  batchRetryWindowSeconds: variable('BATCH_RETRY_WINDOW_SECONDS', 900, whole(0, 86_400)),
  /** Seed mailboxes may be at addresses that are not public, and on loopback without TLS. */
  imapAllowPrivate: variable('IMAP_ALLOW_PRIVATE', false, flag()),
  webhookAllowInsecure: variable('WEBHOOK_ALLOW_INSECURE', false, flag()),
  webhookAllowedNetworks: variable('WEBHOOK_ALLOWED_NETWORKS', [], NETWORKS),
  /** Ports and ranges of ports (`8000-8999`) that a webhook may name. */
  webhookPorts: variable(
    'WEBHOOK_PORTS',
    ['80', '443'],
    listOf('a comma list of ports and ranges, such as 80,443,8000-8999', isPortRange),
  ),
  /** 32 bytes as base64 or hexadecimal, older keys behind it in a comma list. Null: made in `dataDir`. */
  secretsKey: secret(
    'SECRETS_KEY',
    text(
      /^([\da-f]{64}|[a-z\d+/]{43}=)(,([\da-f]{64}|[a-z\d+/]{43}=))*$/i,
      '32 random bytes as base64 or hexadecimal (head -c 32 /dev/urandom | base64), older keys behind it in a comma list',
    ),
  ),
  logLevel: variable('LOG_LEVEL', 'info', oneOf('error', 'warn', 'info', 'debug')),
  /** The service that commands ask, and the key with which they do; null: not said. */
  server: optional('MAILSONDE_SERVER', text(/^https?:\/\/[^\s?#]{1,2048}$/, 'an http(s) URL')),
  serverKey: secret('MAILSONDE_KEY', text(/^[\x21-\x7e]{1,200}$/, 'an API key')),
  /** With which administrators' commands ask it; null: not said. */
  adminKey: secret('MAILSONDE_ADMIN_KEY', text(/^[\x21-\x7e]{1,200}$/, 'an admin key')),
} as const;

type ValueOf<Row> = Row extends Variable<infer Value> ? Value : never;
/** What the variables say, each checked by itself. */
export type Values = { readonly [Name in keyof typeof VARIABLES]: ValueOf<(typeof VARIABLES)[Name]> };
