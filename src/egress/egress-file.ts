import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsInt,
  IsIP,
  IsISO8601,
  IsNumber,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
} from 'class-validator';
import type { EgressSource, Socks5Proxy, WarmUpPace, WarmUpTable } from '../engine/ports.js';
import { checked, CONFIG_DIRECTORY, readJson } from '../platform/config/config-file.js';
import { ConfigurationError } from '../platform/config/configuration-error.js';
import { NAME } from '../platform/config/variable-types.js';

const MAX_SOURCES = 1_000;
const MAX_WEIGHT = 1_000;
const MAX_SECRET_BYTES = 1_024;
const HOST_NAME = /^(?=.{1,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)*(?!\d+$)[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/i;
const SENDER = /^([^\s<>@"]{1,64}@[^\s<>@"]{1,253})?$/;
const NAME_MESSAGE = 'a name in kebab case, 1 to 40 characters';

class Socks5Row {
  @Matches(/^[\w.:-]{1,253}$/, { message: 'a host name or an IP address' })
  host!: string;

  @IsInt({ message: 'a port from 1 to 65535' })
  @Min(1, { message: 'a port from 1 to 65535' })
  @Max(65_535, { message: 'a port from 1 to 65535' })
  port!: number;

  @IsOptional()
  @Matches(/^[^\0]{1,255}$/, { message: 'a text of 1 to 255 characters' })
  user?: string;

  @IsOptional()
  @Matches(/^[^\0]{1,255}$/, { message: 'a text of 1 to 255 characters' })
  password?: string;

  @IsOptional()
  @Matches(/^[^\0]{1,1024}$/, { message: 'a file' })
  password_file?: string;
}

class SourceRow {
  @Matches(NAME, { message: NAME_MESSAGE })
  name!: string;

  @IsOptional()
  @IsIP(undefined, { message: 'an IP address of this machine' })
  address?: string;

  /** Checked apart, as a `Socks5Row`. */
  @IsOptional()
  socks5?: unknown;

  @Matches(HOST_NAME, { message: 'a host name such as probe.example.com' })
  helo!: string;

  @Matches(SENDER, { message: 'an email address such as postmaster@example.com, or "" for the null sender' })
  mail_from!: string;

  @IsOptional()
  @Matches(NAME, { message: NAME_MESSAGE })
  region?: string;

  @IsOptional()
  @IsNumber({}, { message: `a number above 0, ${MAX_WEIGHT} at most` })
  @Min(0.001, { message: `a number above 0, ${MAX_WEIGHT} at most` })
  @Max(MAX_WEIGHT, { message: `a number above 0, ${MAX_WEIGHT} at most` })
  weight?: number;

  @IsOptional()
  @Matches(/^\d{4}-/, { message: 'a day such as 2026-11-23' })
  @IsISO8601({ strict: true }, { message: 'a day such as 2026-11-23' })
  since?: string;

  @IsOptional()
  @IsArray({ message: 'a list of rows of config/mail-providers.json' })
  @ArrayMinSize(1, { message: 'a list of rows of config/mail-providers.json, one at least' })
  @ArrayMaxSize(1_000, { message: 'a list of rows of config/mail-providers.json' })
  @ArrayUnique({ message: 'a list without a name twice' })
  @IsString({ each: true, message: 'a list of rows of config/mail-providers.json' })
  operators?: string[];
}

class WarmUpRow {
  @IsInt({ message: 'a whole number from 1 to 1000000' })
  @Min(1, { message: 'a whole number from 1 to 1000000' })
  @Max(1_000_000, { message: 'a whole number from 1 to 1000000' })
  first_day = 50;

  @IsNumber({}, { message: 'a number from 1.01 to 10' })
  @Min(1.01, { message: 'a number from 1.01 to 10' })
  @Max(10, { message: 'a number from 1.01 to 10' })
  growth = 1.5;

  @IsInt({ message: 'a whole number from 1 to 1000000000' })
  @Min(1, { message: 'a whole number from 1 to 1000000000' })
  @Max(1_000_000_000, { message: 'a whole number from 1 to 1000000000' })
  most = 10_000;
}

class WarmUpFile extends WarmUpRow {
  /** Each checked apart, as a `WarmUpClass`. */
  @IsOptional()
  @IsArray({ message: 'a list of classes of operators' })
  @ArrayMaxSize(100, { message: 'a list of classes of operators, 100 at most' })
  classes?: unknown[];
}

/** Operators that new addresses begin at alike. */
class WarmUpClass extends WarmUpRow {
  @IsArray({ message: 'a list of rows of config/mail-providers.json' })
  @ArrayMinSize(1, { message: 'a list of rows of config/mail-providers.json, one at least' })
  @ArrayMaxSize(1_000, { message: 'a list of rows of config/mail-providers.json' })
  @IsString({ each: true, message: 'a list of rows of config/mail-providers.json' })
  operators!: string[];
}

class EgressFile {
  @IsArray({ message: `a list of 1 to ${MAX_SOURCES} sources` })
  @ArrayMinSize(1, { message: `a list of 1 to ${MAX_SOURCES} sources` })
  @ArrayMaxSize(MAX_SOURCES, { message: `a list of 1 to ${MAX_SOURCES} sources` })
  sources!: unknown[];

  /** Checked apart, as a `WarmUpFile`. */
  @IsOptional()
  warm_up?: unknown;
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
  const { sources, warm_up: plainWarmUp = {} } = checked(shown, readJson(shown, path), EgressFile);
  const operators = operatorNames();
  const names = new Set<string>();
  const read = sources.map((plain, index) => {
    const where = `${shown}.sources[${index}]`;
    const row = checked(where, plain, SourceRow);
    if (names.has(row.name)) throw new ConfigurationError(`${where}.name`, row.name, 'a name that no other source has');
    names.add(row.name);
    if (row.address !== undefined && row.socks5 !== undefined)
      throw new ConfigurationError(`${where}.socks5`, row.address, 'either an address or a proxy');
    const stranger = row.operators?.find((name) => !operators.has(name));
    if (stranger !== undefined)
      throw new ConfigurationError(`${where}.operators`, stranger, 'a row of config/mail-providers.json');
    return toSource(row, where, path);
  });
  return { sources: read, warmUp: toWarmUp(plainWarmUp, `${shown}.warm_up`, operators) };
}

function toWarmUp(plain: unknown, shown: string, known: ReadonlySet<string>): WarmUpTable {
  const { classes = [], ...row } = checked(shown, plain, WarmUpFile);
  const operators: Record<string, WarmUpPace> = {};
  for (const [index, plainClass] of classes.entries()) {
    const where = `${shown}.classes[${index}]`;
    const { operators: names, ...pace } = checked(where, plainClass, WarmUpClass);
    for (const name of names) {
      if (!known.has(name) || name === 'default')
        throw new ConfigurationError(`${where}.operators`, name, 'a row of config/mail-providers.json but default');
      if (Object.hasOwn(operators, name))
        throw new ConfigurationError(`${where}.operators`, name, 'an operator that no other class has');
      operators[name] = toPace(pace);
    }
  }
  return classes.length === 0 ? toPace(row) : { ...toPace(row), operators };
}

function toPace({ first_day: firstDay, growth, most }: WarmUpRow): WarmUpPace {
  return { firstDay, growth, most };
}

function toSource(row: SourceRow, where: string, path: string): EgressSource {
  return Object.freeze({
    name: row.name,
    address: row.address ?? null,
    socks5:
      row.socks5 === undefined
        ? null
        : toProxy(checked(`${where}.socks5`, row.socks5, Socks5Row), `${where}.socks5`, path),
    helo: row.helo,
    mailFrom: row.mail_from,
    region: row.region ?? null,
    weight: row.weight ?? 1,
    since: row.since === undefined ? null : Date.parse(row.since),
    operators: row.operators ?? null,
  });
}

function toProxy(row: Socks5Row, where: string, path: string): Socks5Proxy {
  const { host, port, user = null } = row;
  if (isIP(host) === 0 && !HOST_NAME.test(host))
    throw new ConfigurationError(`${where}.host`, host, 'a host name or an IP address');
  if (row.password !== undefined && row.password_file !== undefined)
    throw new ConfigurationError(`${where}.password_file`, row.password_file, 'either a password or a file with it');
  const passwordFile = row.password_file === undefined ? null : resolve(dirname(path), row.password_file);
  const password =
    passwordFile === null
      ? (row.password ?? null)
      : readSecret(passwordFile, `${where}.password_file`, row.password_file!);
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
