import { createSecureContext } from 'node:tls';
import { readFileSync, statSync } from 'node:fs';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import ipaddr from 'ipaddr.js';
import { ConfigurationError } from './configuration-error.js';
import { Variables } from './variables.js';

export { ConfigurationError };

/** The validated environment. The start makes it once and freezes it; all other code gets it injected. */
export interface Env {
  readonly host: string;
  readonly port: number;
  /** The port of metrics; null: there is none. */
  readonly metricsPort: number | null;
  readonly metricsHost: string;
  /** Origin (and path) for documents and links, without a slash at the end. */
  readonly publicUrl: string;
  /** Whom to tell of a vulnerability, and until when that holds; null: nobody is named. */
  readonly security: { readonly contact: string; readonly expires: Date } | null;
  readonly role: 'all' | 'api' | 'worker';
  /** Null: the embedded PostgreSQL. */
  readonly databaseUrl: string | null;
  /** A replica of it, for reads; null: there is none. */
  readonly databaseReadUrl: string | null;
  /** Null: the embedded Redis. */
  readonly redisUrl: string | null;
  /** The time that a start waits for a configured PostgreSQL or Redis. */
  readonly startWaitSeconds: number;
  readonly dataDir: string;
  /** DNS servers; empty: the system's. */
  readonly dnsServers: readonly string[];
  /** Domains with MX records that the DNS must know, or it is not believed. */
  readonly dnsKnownDomains: readonly string[];
  /** Keys of block lists, which become a part of their names; null: there is none. */
  readonly spamhausKey: string | null;
  readonly abusixKey: string | null;
  readonly spamratsKey: string | null;
  /** Block lists with which the operator has registered, or whose terms the operator has read, by their ids. */
  readonly blacklistsRegistered: readonly string[];
  /** Nothing is charged for what block lists answer. */
  readonly blacklistsNonCommercial: boolean;
  readonly smtpPort: number;
  /** Connections to mail hosts at once, all hosts together, in one process. */
  readonly smtpConnections: number;
  readonly heloName: string | null;
  readonly mailFrom: string | null;
  /** The mail server that sends our own letters; null: none are sent. */
  readonly mailSmtpUrl: string | null;
  /** Our own addresses that mail hosts are asked from; null: `config/egress.json`, if there is one. */
  readonly egressFile: string | null;
  /** The sources that this process uses, by name; empty: all of its region. */
  readonly egress: readonly string[];
  /** Whose sources this process uses, beside those without a region; null: those of all. */
  readonly region: string | null;
  /** Networks (CIDR or single addresses) that mail hosts may have although these are not public. */
  readonly mxAllowedNetworks: readonly string[];
  /** Mail for this domain comes to our receiver, which listens on this host and port; port 0: any that is free. */
  readonly inboundDomain: string;
  readonly inboundHost: string;
  readonly inboundPort: number;
  /** What STARTTLS of the receiver shows; null: it has none. */
  readonly inboundTls: { readonly cert: string; readonly key: string } | null;
  /** Mail servers in front of the receiver, which may say for whom they speak (XCLIENT, XFORWARD). */
  readonly inboundProxies: readonly string[];
  /** Load balancers in front of it, which begin each connection by saying from whom it comes (PROXY protocol). */
  readonly inboundProxyProtocol: readonly string[];
  /** Spam filters that messages are shown to; null: there is none. */
  readonly rspamdUrl: string | null;
  readonly rspamdPassword: string | null;
  readonly spamd: string | null;
  readonly agentDailyCapacity: number;
  /** Registrations from one client address. */
  readonly registrationsPerHour: number;
  readonly registrationsPerDay: number;
  readonly registrationsPerHourGlobal: number;
  /** Refused keys a minute from one client network. */
  readonly failedKeysPerMinute: number;
  /** Calls of `POST /try` a minute from one client network. */
  readonly triesPerMinute: number;
  /** Open connections from one client network. */
  readonly connectionsPerClient: number;
  /** Proxies (CIDR or single addresses) whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  readonly retentionDays: number;
  readonly batchRetryWindowSeconds: number;
  /** Seed mailboxes may be at addresses that are not public, and on loopback without TLS. */
  readonly imapAllowPrivate: boolean;
  readonly webhookAllowInsecure: boolean;
  readonly webhookAllowedNetworks: readonly string[];
  /** Ports and ranges of ports (`8000-8999`) that a webhook may name. */
  readonly webhookPorts: readonly string[];
  /** 32 bytes as base64 or hexadecimal, older keys behind it in a comma list. Null: made in `dataDir`. */
  readonly secretsKey: string | null;
  readonly logLevel: 'error' | 'warn' | 'info' | 'debug';
  /** The service that commands ask, and the key with which they do; null: not said. */
  readonly server: string | null;
  readonly serverKey: string | null;
  /** With which administrators' commands ask it; null: not said. */
  readonly adminKey: string | null;
}

/** Nest token of the `Env`. */
export const ENV = Symbol('ENV');

/**
 * Reads and checks the environment; an empty variable counts as not set. Without an argument the process's own is read,
 * and a `.env` file in the working directory adds what it does not set. Secrets may stand in files that `…_FILE` names.
 * @throws ConfigurationError naming the first variable that is wrong.
 */
export function loadEnv(environment: NodeJS.ProcessEnv = processEnvironment()): Env {
  const source = { ...environment, ...readSecretFiles(environment) };
  const defaults = new Variables();
  const given = Object.keys(defaults).flatMap((name) => (source[name]?.trim() ? [[name, source[name].trim()]] : []));
  const variables = plainToInstance(Variables, Object.assign(defaults, Object.fromEntries(given)));
  const wrong = validateSync(variables)[0];
  if (wrong) {
    const allowed = Object.values(wrong.constraints ?? {})[0] ?? 'another value';
    throw new ConfigurationError(wrong.property, masked(wrong.property, source[wrong.property] ?? ''), allowed);
  }
  if (variables.MAIL_SMTP_URL !== null && variables.MAIL_FROM === null)
    throw new ConfigurationError('MAIL_FROM', '', 'a sender for the letters of MAIL_SMTP_URL');
  if (variables.DATABASE_READ_URL !== null && variables.DATABASE_URL === null)
    throw new ConfigurationError('DATABASE_URL', '', 'the primary of the replica of DATABASE_READ_URL');
  if ((variables.SECURITY_CONTACT === null) !== (variables.SECURITY_EXPIRES === null))
    throw new ConfigurationError(
      variables.SECURITY_CONTACT === null ? 'SECURITY_CONTACT' : 'SECURITY_EXPIRES',
      '',
      'both SECURITY_CONTACT and SECURITY_EXPIRES, or neither',
    );
  checkTlsPair(variables);
  checkProxies(variables);
  return toEnv(variables);
}

function checkTlsPair({ INBOUND_TLS_CERT: cert, INBOUND_TLS_KEY: key }: Variables): void {
  if ((cert === null) !== (key === null))
    throw new ConfigurationError(
      cert === null ? 'INBOUND_TLS_CERT' : 'INBOUND_TLS_KEY',
      '',
      'both INBOUND_TLS_CERT and INBOUND_TLS_KEY, or neither',
    );
  if (cert === null || key === null) return;
  try {
    createSecureContext({ cert, key });
  } catch {
    throw new ConfigurationError('INBOUND_TLS_KEY', '***', 'the private key of INBOUND_TLS_CERT, both in PEM');
  }
}

/** A mail server greets first and a load balancer says from whom it comes: of one address both would wait for each other. */
function checkProxies({ INBOUND_PROXIES, INBOUND_PROXY_PROTOCOL }: Variables): void {
  const servers = plain(INBOUND_PROXIES);
  const both = plain(INBOUND_PROXY_PROTOCOL).find((address) => servers.includes(address));
  if (both !== undefined)
    throw new ConfigurationError('INBOUND_PROXY_PROTOCOL', both, 'addresses that INBOUND_PROXIES does not have');
}

/** Addresses as sockets write them, whom they are compared with: IPv6 in its shortest form, IPv4 that is written as IPv6 as IPv4. */
function plain(addresses: readonly string[]): string[] {
  return addresses.map((address) => ipaddr.process(address).toString());
}

function processEnvironment(): NodeJS.ProcessEnv {
  try {
    process.loadEnvFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return process.env;
}

function toEnv(from: Variables): Env {
  const { LOG_LEVEL, HOST, PORT } = from;
  return deepFrozen({
    host: HOST,
    port: PORT,
    metricsPort: from.METRICS_PORT,
    metricsHost: from.METRICS_HOST,
    publicUrl: (from.PUBLIC_URL ?? originOf(HOST, PORT)).replace(/\/+$/, ''),
    security:
      from.SECURITY_CONTACT === null || from.SECURITY_EXPIRES === null
        ? null
        : { contact: from.SECURITY_CONTACT, expires: new Date(from.SECURITY_EXPIRES) },
    role: from.ROLE,
    databaseUrl: from.DATABASE_URL,
    databaseReadUrl: from.DATABASE_READ_URL,
    redisUrl: from.REDIS_URL,
    startWaitSeconds: from.START_WAIT,
    dataDir: from.DATA_DIR,
    dnsServers: from.DNS_SERVERS,
    dnsKnownDomains: from.DNS_KNOWN_DOMAINS,
    spamhausKey: from.SPAMHAUS_DQS_KEY,
    abusixKey: from.ABUSIX_KEY,
    spamratsKey: from.SPAMRATS_KEY,
    blacklistsRegistered: from.BLACKLISTS_REGISTERED,
    blacklistsNonCommercial: from.BLACKLISTS_NON_COMMERCIAL,
    smtpPort: from.SMTP_PORT,
    smtpConnections: from.SMTP_CONNECTIONS,
    heloName: from.HELO_NAME,
    mailFrom: from.MAIL_FROM,
    mailSmtpUrl: from.MAIL_SMTP_URL,
    egressFile: from.EGRESS_FILE,
    egress: from.EGRESS,
    region: from.REGION,
    mxAllowedNetworks: from.MX_ALLOWED_NETWORKS,
    inboundDomain: from.INBOUND_DOMAIN.toLowerCase(),
    inboundHost: from.INBOUND_HOST,
    inboundPort: from.INBOUND_PORT,
    inboundTls:
      from.INBOUND_TLS_CERT === null ? null : { cert: from.INBOUND_TLS_CERT, key: from.INBOUND_TLS_KEY ?? '' },
    inboundProxies: plain(from.INBOUND_PROXIES),
    inboundProxyProtocol: plain(from.INBOUND_PROXY_PROTOCOL),
    rspamdUrl: from.RSPAMD_URL,
    rspamdPassword: from.RSPAMD_PASSWORD,
    spamd: from.SPAMD,
    agentDailyCapacity: from.AGENT_DAILY_CAPACITY,
    registrationsPerHour: from.REGISTRATIONS_PER_HOUR,
    registrationsPerDay: from.REGISTRATIONS_PER_DAY,
    registrationsPerHourGlobal: from.REGISTRATIONS_PER_HOUR_GLOBAL,
    failedKeysPerMinute: from.FAILED_KEYS_PER_MINUTE,
    triesPerMinute: from.TRIES_PER_MINUTE,
    connectionsPerClient: from.CONNECTIONS_PER_CLIENT,
    trustedProxies: from.TRUSTED_PROXIES,
    retentionDays: from.RETENTION_DAYS,
    batchRetryWindowSeconds: from.BATCH_RETRY_WINDOW_SECONDS,
    imapAllowPrivate: from.IMAP_ALLOW_PRIVATE,
    webhookAllowInsecure: from.WEBHOOK_ALLOW_INSECURE,
    webhookAllowedNetworks: from.WEBHOOK_ALLOWED_NETWORKS,
    webhookPorts: from.WEBHOOK_PORTS,
    secretsKey: from.SECRETS_KEY,
    logLevel: LOG_LEVEL,
    server: from.MAILSONDE_SERVER,
    serverKey: from.MAILSONDE_KEY,
    adminKey: from.MAILSONDE_ADMIN_KEY,
  });
}

/** The URL of the service for a browser on this machine: an any-address is reached over loopback. */
function originOf(host: string, port: number): string {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host);
  return `http://${reachable}:${port}`;
}

const HAS_PASSWORD: ReadonlySet<string> = new Set(['DATABASE_URL', 'DATABASE_READ_URL', 'REDIS_URL', 'MAIL_SMTP_URL']);

/** The part of a refused value that may be shown. */
export function masked(variable: string, value: string): string {
  if (/_(KEY|PASSWORD)$/.test(variable)) return '***';
  if (!HAS_PASSWORD.has(variable)) return value;
  // Greedy up to the last "@": a password with an unescaped "@" or "/" is a likely reason why the URL was refused.
  return value.replace(/^([a-z]+:\/\/)?.*@/i, '$1***@').replace(/(password=)[^&]*/gi, '$1***');
}

function deepFrozen(env: Env): Env {
  for (const value of Object.values(env)) Object.freeze(value);
  return Object.freeze(env);
}

/** Variables that hold a secret, or a text of many lines: each may stand in a file, named by the same variable with `_FILE`, as orchestrators mount them. */
const SECRETS = [
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'REDIS_URL',
  'MAIL_SMTP_URL',
  'SECRETS_KEY',
  'SPAMHAUS_DQS_KEY',
  'ABUSIX_KEY',
  'SPAMRATS_KEY',
  'INBOUND_TLS_CERT',
  'INBOUND_TLS_KEY',
  'RSPAMD_PASSWORD',
  'MAILSONDE_KEY',
  'MAILSONDE_ADMIN_KEY',
] as const;

const MAX_BYTES = 65_536;

/**
 * Reads the secrets that stand in files.
 * @returns their variables with what the files say, without spaces and line ends around it
 * @throws ConfigurationError naming the variable and the file, never what it holds
 */
function readSecretFiles(source: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  return Object.fromEntries(
    SECRETS.flatMap((name) => {
      const variable = `${name}_FILE`;
      const path = source[variable]?.trim();
      if (!path) return [];
      if (source[name]?.trim()) throw new ConfigurationError(variable, path, `either ${name} or ${variable}`);
      return [[name, readSecret(variable, path)]];
    }),
  );
}

function readSecret(variable: string, path: string): string {
  let text = '';
  try {
    if (statSync(path).size <= MAX_BYTES) text = readFileSync(path, 'utf8').trim();
  } catch {
    throw new ConfigurationError(variable, path, 'a file that can be read');
  }
  if (text === '') throw new ConfigurationError(variable, path, `a file with a text of at most ${MAX_BYTES} bytes`);
  return text;
}
