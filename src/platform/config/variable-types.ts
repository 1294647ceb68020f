import { isIP } from 'node:net';
import { isRFC3339 } from 'class-validator';
import ipaddr from 'ipaddr.js';
import { readUrl } from '../../lib/read-url.js';

/** How the text of a variable becomes its value. */
export interface VariableType<Value> {
  /** The words after "allowed is" of a refusal. */
  readonly allowed: string;
  /** @returns undefined for what is not allowed */
  read(given: string): Value | undefined;
}

export function whole(min: number, max: number): VariableType<number> {
  return {
    allowed: `a whole number from ${min} to ${max}`,
    read(given) {
      const number = /^\d{1,15}$/.test(given) ? Number(given) : NaN;
      return number >= min && number <= max ? number : undefined;
    },
  };
}

export function flag(): VariableType<boolean> {
  return {
    allowed: 'true or false',
    read: (given) => (given === 'true' || given === 'false' ? given === 'true' : undefined),
  };
}

export function oneOf<const Word extends string>(...words: readonly Word[]): VariableType<Word> {
  return { allowed: words.join(', '), read: (given) => words.find((word) => word === given) };
}

export function text(pattern: RegExp, allowed: string): VariableType<string> {
  return satisfies(allowed, (given) => pattern.test(given));
}

/** A time of RFC 3339 that a `Date` holds: it has no leap seconds. */
export function time(): VariableType<string> {
  return satisfies(
    'a time such as 2027-01-31T12:00:00Z',
    (given) => isRFC3339(given) && !Number.isNaN(Date.parse(given)),
  );
}

/**
 * A URL with one of these schemes (`http:`) and a host; path and the like only where `bare` is false.
 * @param isAnother says so of what is no URL of these, and allowed
 */
export function urlWith(
  schemes: readonly string[],
  bare: boolean,
  allowed: string,
  isAnother: (given: string) => boolean = () => false,
): VariableType<string> {
  return satisfies(allowed, (given) => {
    if (isAnother(given)) return true;
    const url = readUrl(given);
    if (url === null || !schemes.includes(url.protocol)) return false;
    return !bare || (url.host !== '' && url.search === '' && url.hash === '' && url.username === '');
  });
}

/** A comma list of so many items at least; every item must pass. */
export function listOf(
  allowed: string,
  accepts: (item: string) => boolean,
  minItems = 0,
): VariableType<readonly string[]> {
  return {
    allowed,
    read(given) {
      const items = given.split(',').flatMap((item) => item.trim() || []);
      return items.length >= minItems && items.every(accepts) ? items : undefined;
    },
  };
}

function satisfies(allowed: string, accepts: (given: string) => boolean): VariableType<string> {
  return { allowed, read: (given) => (accepts(given) ? given : undefined) };
}

/** An IP address, or a network in CIDR notation. */
export function isNetwork(given: string): boolean {
  return isIP(given) !== 0 || ipaddr.isValidCIDR(given);
}

/** What an administrator calls a thing of his: in kebab case, 1 to 40 characters. */
export const NAME = /^(?=.{1,40}$)[a-z\d]+(-[a-z\d]+)*$/;

export function isName(given: string): boolean {
  return NAME.test(given);
}

/** `8443`, or `8000-8999`. */
export function isPortRange(given: string): boolean {
  const [, from, to] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(given) ?? [];
  return from !== undefined && Number(from) >= 1 && Number(from) <= Number(to ?? from) && Number(to ?? from) <= 65_535;
}

/** `192.0.2.53`, `192.0.2.53:5353`, `2001:db8::53` or `[2001:db8::53]:5353`, as `dns.Resolver.setServers` takes them. */
export function isDnsServer(given: string): boolean {
  if (isIP(given) !== 0) return true;
  const [, v6, v4, port] = /^(?:\[([^\]]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(given) ?? [];
  const host = v6 === undefined ? isIP(v4 ?? '') === 4 : isIP(v6) === 6;
  return host && (port === undefined || (Number(port) >= 1 && Number(port) <= 65_535));
}
