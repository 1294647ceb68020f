import { isIP } from 'node:net';
import { ValidateIf } from 'class-validator';
import { readCluster, readSentinels } from './redis-address.js';
import {
  Flag,
  isDnsServer,
  isName,
  isNetwork,
  isPortRange,
  ListOf,
  NAME,
  OneOf,
  Text,
  Time,
  UrlOf,
  Whole,
} from './variable-types.js';

/* RFC 1123 section 2.1; the last label is not all digits, so an IP address does not pass for a name. */
const HOST_NAME = /^(?=.{1,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)*(?!\d+$)[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/i;

const NETWORKS = 'a comma list of IP addresses and networks such as 10.0.0.0/8';

/* It becomes a label of a name. */
const LIST_KEY = /^[a-z\d]{8,63}$/i;

/* It may have several parts, each on lines of its own. */
const PEM = /^-----BEGIN [A-Z ]{1,40}-----\s[\s\S]{1,60000}-----$/;

const Optional = (): PropertyDecorator => ValidateIf((_, value) => value !== null);

/** Every environment variable with its default and its allowed values. `.env.example` says why each exists. */
export class Variables {
  @Text(/^[\w.:%-]{1,255}$/, 'a host name or an IP address of this machine')
  HOST = '127.0.0.1';

  @Whole(1, 65_535)
  PORT = 3000;

  @Optional()
  @Whole(1, 65_535)
  METRICS_PORT: number | null = null;

  @Text(/^[\w.:%-]{1,255}$/, 'a host name or an IP address of this machine')
  METRICS_HOST = '127.0.0.1';

  @Optional()
  @UrlOf(['http:', 'https:'], true, 'an http or https URL without a query, such as https://mail.example.com')
  PUBLIC_URL: string | null = null;

  @Optional()
  @Text(
    /^(mailto:[^\s<>@"]{1,64}@[^\s<>@"]{1,253}|https:\/\/[^\s<>"]{1,2048})$/,
    'a URL such as mailto:security@example.com or https://example.com/security, with SECURITY_EXPIRES',
  )
  SECURITY_CONTACT: string | null = null;

  @Optional()
  @Time()
  SECURITY_EXPIRES: string | null = null;

  @OneOf('all', 'api', 'worker')
  ROLE: 'all' | 'api' | 'worker' = 'all';

  @Optional()
  @UrlOf(['postgres:', 'postgresql:'], false, 'a URL such as postgres://user:password@host:5432/name')
  DATABASE_URL: string | null = null;

  @Optional()
  @UrlOf(['postgres:', 'postgresql:'], false, 'a URL such as postgres://user:password@host:5432/name')
  DATABASE_READ_URL: string | null = null;

  @Optional()
  @UrlOf(
    ['redis:', 'rediss:'],
    false,
    'a URL such as redis://:password@host:6379/0, redis+sentinel://:password@host:26379,host:26379/name/0 or redis+cluster://:password@host:6379,host:6379',
    (text) => readSentinels(text) !== null || readCluster(text) !== null,
  )
  REDIS_URL: string | null = null;

  @Whole(0, 3_600)
  START_WAIT = 60;

  @Text(/^[^\0]{1,1024}$/, 'a directory')
  DATA_DIR = '.mailsonde';

  @ListOf('a comma list of address[:port], such as 192.0.2.53,[2001:db8::53]:5353', isDnsServer)
  DNS_SERVERS: string[] = [];

  @ListOf(
    'a comma list of domains such as gmail.com, one at least',
    (name) => name.includes('.') && HOST_NAME.test(name),
    1,
  )
  DNS_KNOWN_DOMAINS: string[] = ['gmail.com', 'outlook.com', 'icloud.com'];

  @Optional()
  @Text(LIST_KEY, 'the key of a list, letters and digits')
  SPAMHAUS_DQS_KEY: string | null = null;

  @Optional()
  @Text(LIST_KEY, 'the key of a list, letters and digits')
  ABUSIX_KEY: string | null = null;

  @Optional()
  @Text(LIST_KEY, 'the key of a list, letters and digits')
  SPAMRATS_KEY: string | null = null;

  @ListOf('a comma list of ids of config/blacklists.json, such as barracuda,spamcop', (id) =>
    /^[a-z0-9]+(-[a-z0-9]+)*$/.test(id),
  )
  BLACKLISTS_REGISTERED: string[] = [];

  @Flag()
  BLACKLISTS_NON_COMMERCIAL = false;

  @Whole(1, 65_535)
  SMTP_PORT = 25;

  @Whole(1, 100_000)
  SMTP_CONNECTIONS = 1_500;

  @Optional()
  @Text(HOST_NAME, 'a host name such as probe.example.com')
  HELO_NAME: string | null = null;

  @Optional()
  @Text(/^[^\s<>@"]{1,64}@[^\s<>@"]{1,253}$/, 'an email address such as postmaster@example.com')
  MAIL_FROM: string | null = null;

  @Optional()
  @UrlOf(['smtp:', 'smtps:'], false, 'a URL such as smtp://user:password@mail.example.com:587')
  MAIL_SMTP_URL: string | null = null;

  @Optional()
  @Text(/^[^\0]{1,1024}$/, 'a file')
  EGRESS_FILE: string | null = null;

  @ListOf('a comma list of names of sources, such as north,south-1', isName)
  EGRESS: string[] = [];

  @Optional()
  @Text(NAME, 'a name such as eu')
  REGION: string | null = null;

  @ListOf(NETWORKS, isNetwork)
  MX_ALLOWED_NETWORKS: string[] = [];

  @Text(HOST_NAME, 'a domain such as in.example.net')
  INBOUND_DOMAIN = 'inbound.localhost';

  @Text(/^[\w.:%-]{1,255}$/, 'a host name or an IP address of this machine')
  INBOUND_HOST = '127.0.0.1';

  @Whole(0, 65_535)
  INBOUND_PORT = 2525;

  @Optional()
  @Text(PEM, 'a certificate chain in PEM, with INBOUND_TLS_KEY')
  INBOUND_TLS_CERT: string | null = null;

  @Optional()
  @Text(PEM, 'the private key of INBOUND_TLS_CERT in PEM, without a password')
  INBOUND_TLS_KEY: string | null = null;

  @ListOf('a comma list of IP addresses such as 10.0.0.5', (address) => isIP(address) !== 0)
  INBOUND_PROXIES: string[] = [];

  @ListOf('a comma list of IP addresses such as 10.0.0.6', (address) => isIP(address) !== 0)
  INBOUND_PROXY_PROTOCOL: string[] = [];

  @Optional()
  @UrlOf(['http:', 'https:'], true, 'an http or https URL such as http://127.0.0.1:11333')
  RSPAMD_URL: string | null = null;

  @Optional()
  @Text(/^[\x21-\x7e]{1,200}$/, 'the password of the controller of rspamd')
  RSPAMD_PASSWORD: string | null = null;

  @Optional()
  @Text(/^(\[[\da-f:.]{2,45}\]|[\w.-]{1,253}):\d{1,5}$/i, 'a host and a port such as 127.0.0.1:783')
  SPAMD: string | null = null;

  @Whole(0, 1_000_000_000)
  AGENT_DAILY_CAPACITY = 10_000;

  @Whole(0, 1_000_000)
  REGISTRATIONS_PER_HOUR = 5;

  @Whole(0, 1_000_000)
  REGISTRATIONS_PER_DAY = 20;

  @Whole(0, 1_000_000)
  REGISTRATIONS_PER_HOUR_GLOBAL = 1000;

  @Whole(1, 1_000_000)
  FAILED_KEYS_PER_MINUTE = 600;

  @Whole(0, 1_000_000)
  TRIES_PER_MINUTE = 30;

  @Whole(1, 1_000_000)
  CONNECTIONS_PER_CLIENT = 1000;

  @ListOf(NETWORKS, isNetwork)
  TRUSTED_PROXIES: string[] = [];

  @Whole(1, 3650)
  RETENTION_DAYS = 30;

  @Whole(0, 86_400)
  BATCH_RETRY_WINDOW_SECONDS = 900;

  @Flag()
  IMAP_ALLOW_PRIVATE = false;

  @Flag()
  WEBHOOK_ALLOW_INSECURE = false;

  @ListOf(NETWORKS, isNetwork)
  WEBHOOK_ALLOWED_NETWORKS: string[] = [];

  @ListOf('a comma list of ports and ranges, such as 80,443,8000-8999', isPortRange)
  WEBHOOK_PORTS: string[] = ['80', '443'];

  @Optional()
  @Text(
    /^([\da-f]{64}|[a-z\d+/]{43}=)(,([\da-f]{64}|[a-z\d+/]{43}=))*$/i,
    '32 random bytes as base64 or hexadecimal (head -c 32 /dev/urandom | base64), older keys behind it in a comma list',
  )
  SECRETS_KEY: string | null = null;

  @OneOf('error', 'warn', 'info', 'debug')
  LOG_LEVEL: 'error' | 'warn' | 'info' | 'debug' = 'info';

  @Optional()
  @Text(/^https?:\/\/[^\s?#]{1,2048}$/, 'an http(s) URL')
  MAILSONDE_SERVER: string | null = null;

  @Optional()
  @Text(/^[\x21-\x7e]{1,200}$/, 'an API key')
  MAILSONDE_KEY: string | null = null;

  @Optional()
  @Text(/^[\x21-\x7e]{1,200}$/, 'an admin key')
  MAILSONDE_ADMIN_KEY: string | null = null;
}
