import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { isIP as isAddress, isISO8601 } from 'class-validator';
import {
  type Check,
  type Checked,
  count,
  listOf,
  matching,
  number,
  object,
  optional,
  passing,
} from '../../lib/checked-json.js';
import type { EgressSource, Socks5Proxy, WarmUpPace, WarmUpTable } from '../../engine/ports.js';
import { checked, CONFIG_DIRECTORY, readJson } from '../../platform/config/config-file.js';
import { ConfigurationError } from '../../platform/config/configuration-error.js';
import { NAME } from '../../platform/config/variable-types.js';

const MAX_SOURCES = 1_000;
const MAX_WEIGHT = 1_000;
const MAX_SECRET_BYTES = 1_024;
const HOST_NAME = /^(?=.{1,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)*(?!\d+$)[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/i;
const SENDER = /^([^\s<>@"]{1,64}@[^\s<>@"]{1,253})?$/;

const name = matching(NAME, 'a name in kebab case, 1 to 40 characters');
const credential = matching(/^[^\0]{1,255}$/, 'a text of 1 to 255 characters');

const OPERATORS = 'a list of rows of config/mail-providers.json';
const operators: Check<readonly string[]> = listOf(
  passing<string>((one) => typeof one === 'string', OPERATORS),
  `${OPERATORS}, one at least`,
  1,
  1_000,
);
const distinct: Check<readonly string[]> = (value, where) =>
  passing<readonly string[]>(
    (names) => new Set(names as string[]).size === (names as string[]).length,
    'a list without a name twice',
  )(operators(value, where), where);

const SOCKS5 = {
  host: matching(/^[\w.:-]{1,253}$/, 'a host name or an IP address'),
  port: count(1, 65_535, 'a port from 1 to 65535'),
  user: optional(credential, null),
  password: optional(credential, null),
  password_file: optional(matching(/^[^\0]{1,1024}$/, 'a file'), null),
};

const SOURCE = {
  name,
  address: optional(
    passing<string>((value) => isAddress(value), 'an IP address of this machine'),
    null,
  ),
  socks5: optional(object(SOCKS5), null),
  helo: matching(HOST_NAME, 'a host name such as probe.example.com'),
  mail_from: matching(SENDER, 'an email address such as postmaster@example.com, or "" for the null sender'),
  region: optional(name, null),
  weight: optional(number(0.001, MAX_WEIGHT, `a number above 0, ${MAX_WEIGHT} at most`), 1),
  since: optional(passing<string>(isDay, 'a day such as 2026-11-23'), null),
  operators: optional(distinct, null),
};

const PACE = {
  first_day: optional(count(1, 1_000_000), 50),
  growth: optional(number(1.01, 10), 1.5),
  most: optional(count(1, 1_000_000_000), 10_000),
};

/** Operators that new addresses begin at alike. */
const WARM_UP_CLASS = { ...PACE, operators };

const WARM_UP = {
  ...PACE,
  classes: optional(listOf(object(WARM_UP_CLASS), 'a list of classes of operators, 100 at most', 0, 100), []),
};

const EGRESS_FILE = object({
  sources: listOf(object(SOURCE), `a list of 1 to ${MAX_SOURCES} sources`, 1, MAX_SOURCES),
  warm_up: (value: unknown, where: string) => object(WARM_UP)(value ?? {}, where),
});

function isDay(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-/.test(value) && isISO8601(value, { strict: true });
}

/** Where the file stands that holds; null: there is none. */
export function egressFilePath(configured: string | null): string | null {
  if (configured !== null) return resolve(configured);
  const own = join(CONFIG_DIRECTORY, 'egress.json');
  return existsSync(own) ? own : null;
}

/**
 * Reads and checks all sources of the file.
 * @param shown what a refusal calls the file
 * @throws ConfigurationError naming file, source, field and value; never a password
 */
export function readEgressFile(
  path: string,
  shown: string,
): { readonly sources: readonly EgressSource[]; readonly warmUp: WarmUpTable } {
  const { sources, warm_up: warmUp } = checked(shown, readJson(shown, path), EGRESS_FILE);
  const known = operatorNames();
  const names = new Set<string>();
  const read = sources.map((row, index) => {
    const where = `${shown}.sources[${index}]`;
    if (names.has(row.name)) throw new ConfigurationError(`${where}.name`, row.name, 'a name that no other source has');
    names.add(row.name);
    if (row.address !== null && row.socks5 !== null)
      throw new ConfigurationError(`${where}.socks5`, row.address, 'either an address or a proxy');
    const stranger = row.operators?.find((one) => !known.has(one));
    if (stranger !== undefined)
      throw new ConfigurationError(`${where}.operators`, stranger, 'a row of config/mail-providers.json');
    return toSource(row, where, path);
  });
  return { sources: read, warmUp: toWarmUp(warmUp, `${shown}.warm_up`, known) };
}

function toWarmUp(
  { classes, ...row }: Checked<typeof WARM_UP>,
  shown: string,
  known: ReadonlySet<string>,
): WarmUpTable {
  const paces: Record<string, WarmUpPace> = {};
  for (const [index, { operators: names, ...pace }] of classes.entries()) {
    const where = `${shown}.classes[${index}].operators`;
    for (const one of names) {
      if (!known.has(one) || one === 'default')
        throw new ConfigurationError(where, one, 'a row of config/mail-providers.json but default');
      if (Object.hasOwn(paces, one)) throw new ConfigurationError(where, one, 'an operator that no other class has');
      paces[one] = toPace(pace);
    }
  }
  return classes.length === 0 ? toPace(row) : { ...toPace(row), operators: paces };
}

function toPace({ first_day: firstDay, growth, most }: Checked<typeof PACE>): WarmUpPace {
  return { firstDay, growth, most };
}

function toSource(row: Checked<typeof SOURCE>, where: string, path: string): EgressSource {
  const { mail_from: mailFrom, ...same } = row;
  return Object.freeze({
    ...same,
    mailFrom,
    socks5: row.socks5 === null ? null : toProxy(row.socks5, `${where}.socks5`, path),
    since: row.since === null ? null : Date.parse(row.since),
  });
}

function toProxy(row: Checked<typeof SOCKS5>, where: string, path: string): Socks5Proxy {
  const { host, port, user, password_file: file } = row;
  if (isIP(host) === 0 && !HOST_NAME.test(host))
    throw new ConfigurationError(`${where}.host`, host, 'a host name or an IP address');
  if (row.password !== null && file !== null)
    throw new ConfigurationError(`${where}.password_file`, file, 'either a password or a file with it');
  const passwordFile = file === null ? null : resolve(dirname(path), file);
  const password = passwordFile === null ? row.password : readSecret(passwordFile, `${where}.password_file`, file!);
  if ((user === null) !== (password === null))
    throw new ConfigurationError(`${where}.user`, user, 'a user together with a password');
  return Object.freeze({ host, port, user, password, ...(passwordFile !== null && { passwordFile }) });
}

/** A file's text without the line end that editors add. */
function readSecret(path: string, where: string, shown: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch {
    throw new ConfigurationError(where, shown, 'a file that can be read');
  }
  if (text === '' || text.length > MAX_SECRET_BYTES || text.includes('\0'))
    throw new ConfigurationError(where, shown, 'a file with a password');
  return text;
}

function operatorNames(): ReadonlySet<string> {
  const rows: unknown = JSON.parse(readFileSync(join(CONFIG_DIRECTORY, 'mail-providers.json'), 'utf8'));
  return new Set(Object.keys(rows as object));
}
