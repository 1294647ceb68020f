import { createSecureContext } from 'node:tls';
import { readFileSync, statSync } from 'node:fs';
import ipaddr from 'ipaddr.js';
import { ConfigurationError } from './configuration-error.js';
import { type Values, type Variable, VARIABLES } from './variables.js';

export { ConfigurationError };

/** What stands in the environment, and is no value of it as it is: it is put together with others. */
type Parts = 'publicUrl' | 'securityContact' | 'securityExpires' | 'inboundTlsCert' | 'inboundTlsKey';

/** The validated environment. The start makes it once and freezes it; all other code gets it injected. */
export interface Env extends Omit<Values, Parts> {
  /** Origin (and path) for documents and links, without a slash at the end. */
  readonly publicUrl: string;
  /** Whom to tell of a vulnerability, and until when that holds; null: nobody is named. */
  readonly security: { readonly contact: string; readonly expires: Date } | null;
  /** What STARTTLS of the receiver shows; null: it has none. */
  readonly inboundTls: { readonly cert: string; readonly key: string } | null;
}

/** Nest token of the `Env`. */
export const ENV = Symbol('ENV');

/**
 * Reads and checks the environment; an empty variable counts as not set. Without an argument the process's own is read,
 * and a `.env` file in the working directory adds what it does not set. Secrets may stand in files that `…_FILE` names.
 * @throws ConfigurationError naming the first variable that is wrong.
 */
export function loadEnv(environment: NodeJS.ProcessEnv = processEnvironment()): Env {
  const values = readValues({ ...environment, ...readSecretFiles(environment) });
  if (values.mailSmtpUrl !== null && values.mailFrom === null)
    throw new ConfigurationError('MAIL_FROM', '', 'a sender for the letters of MAIL_SMTP_URL');
  if (values.databaseReadUrl !== null && values.databaseUrl === null)
    throw new ConfigurationError('DATABASE_URL', '', 'the primary of the replica of DATABASE_READ_URL');
  checkPair(values, 'securityContact', 'securityExpires');
  checkPair(values, 'inboundTlsCert', 'inboundTlsKey');
  checkTls(values);
  checkProxies(values);
  return toEnv(values);
}

function readValues(source: Readonly<Record<string, string | undefined>>): Values {
  const values = Object.entries<Variable<unknown>>(VARIABLES).map(([member, { name, preset, type }]) => {
    const given = source[name]?.trim() ?? '';
    const value = given === '' ? preset : type.read(given);
    if (value === undefined) throw new ConfigurationError(name, masked(name, given), type.allowed);
    return [member, value] as const;
  });
  return Object.fromEntries(values) as unknown as Values;
}

function checkPair(values: Values, one: Parts, other: Parts): void {
  if ((values[one] === null) === (values[other] === null)) return;
  const [first, second] = [VARIABLES[one].name, VARIABLES[other].name];
  throw new ConfigurationError(values[one] === null ? first : second, '', `both ${first} and ${second}, or neither`);
}

function checkTls({ inboundTlsCert: cert, inboundTlsKey: key }: Values): void {
  if (cert === null || key === null) return;
  try {
    createSecureContext({ cert, key });
  } catch {
    throw new ConfigurationError('INBOUND_TLS_KEY', '***', 'the private key of INBOUND_TLS_CERT, both in PEM');
  }
}

/** A mail server greets first and a load balancer says from whom it comes: of one address both would wait for each other. */
function checkProxies({ inboundProxies, inboundProxyProtocol }: Values): void {
  const servers = plain(inboundProxies);
  const both = plain(inboundProxyProtocol).find((address) => servers.includes(address));
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

function toEnv(values: Values): Env {
  const {
    publicUrl,
    securityContact: contact,
    securityExpires,
    inboundTlsCert: cert,
    inboundTlsKey,
    ...others
  } = values;
  return deepFrozen({
    ...others,
    publicUrl: (publicUrl ?? originOf(values.host, values.port)).replace(/\/+$/, ''),
    security: contact === null ? null : { contact, expires: new Date(securityExpires!) },
    inboundDomain: values.inboundDomain.toLowerCase(),
    inboundTls: cert === null ? null : { cert, key: inboundTlsKey! },
    inboundProxies: plain(values.inboundProxies),
    inboundProxyProtocol: plain(values.inboundProxyProtocol),
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

const MAX_BYTES = 65_536;

/**
 * Reads the secrets that stand in files.
 * @returns their variables with what the files say, without spaces and line ends around it
 * @throws ConfigurationError naming the variable and the file, never what it holds
 */
function readSecretFiles(source: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.values<Variable<unknown>>(VARIABLES).flatMap(({ name, mayBeFile }) => {
      if (!mayBeFile) return [];
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
