import { isIP } from 'node:net';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, isRFC3339, Matches, Max, Min, ValidateBy } from 'class-validator';
import ipaddr from 'ipaddr.js';
import { readUrl } from '../../lib/read-url.js';

/*
 * Decorators for the allowed values of a variable. Each decorator turns the text of the environment into its value and carries,
 * as the message, the words after "allowed:" of a refusal. Text that cannot be turned stays text, so that the check refuses it.
 */

export function Whole(min: number, max: number): PropertyDecorator {
  const message = `a whole number from ${min} to ${max}`;
  return allOf(
    Transform(({ value }) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value)),
    IsInt({ message }),
    Min(min, { message }),
    Max(max, { message }),
  );
}

export function Flag(): PropertyDecorator {
  const flags: Record<string, boolean> = { true: true, false: false };
  return allOf(
    Transform(({ value }) => flags[String(value)] ?? value),
    IsBoolean({ message: 'true or false' }),
  );
}

export function OneOf(...words: string[]): PropertyDecorator {
  return IsIn(words, { message: words.join(', ') });
}

export function Text(pattern: RegExp, allowed: string): PropertyDecorator {
  return Matches(pattern, { message: allowed });
}

/** A time of RFC 3339 that a `Date` holds: it has no leap seconds. */
export function Time(): PropertyDecorator {
  return Satisfies(
    'a time such as 2027-01-31T12:00:00Z',
    (value) => isRFC3339(value) && !Number.isNaN(Date.parse(value)),
  );
}

/**
 * A URL with one of these schemes (`http:`) and a host; path and the like only where `bare` is false.
 * @param isAnother says so of what is no URL of these, and allowed
 */
export function UrlOf(
  schemes: readonly string[],
  bare: boolean,
  allowed: string,
  isAnother: (value: string) => boolean = () => false,
): PropertyDecorator {
  return Satisfies(allowed, (value) => {
    if (isAnother(value)) return true;
    const url = readUrl(value);
    if (url === null || !schemes.includes(url.protocol)) return false;
    return !bare || (url.host !== '' && url.search === '' && url.hash === '' && url.username === '');
  });
}

/** A comma list of so many items at least; every item must pass. */
export function ListOf(allowed: string, accepts: (item: string) => boolean, minItems = 0): PropertyDecorator {
  return allOf(
    Transform(({ value }) => (typeof value === 'string' ? splitList(value) : value)),
    ValidateBy({
      name: 'listOf',
      validator: {
        validate: (value: unknown) =>
          Array.isArray(value) && value.length >= minItems && value.every((item) => accepts(String(item))),
        defaultMessage: () => allowed,
      },
    }),
  );
}

/** What Nest's `applyDecorators` does, for commands that start without Nest. */
function allOf(...decorators: readonly PropertyDecorator[]): PropertyDecorator {
  return (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };
}

function Satisfies(allowed: string, accepts: (value: string) => boolean): PropertyDecorator {
  return ValidateBy({
    name: 'satisfies',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && accepts(value),
      defaultMessage: () => allowed,
    },
  });
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** An IP address, or a network in CIDR notation. */
export function isNetwork(text: string): boolean {
  return isIP(text) !== 0 || ipaddr.isValidCIDR(text);
}

/** What an administrator calls a thing of his: in kebab case, 1 to 40 characters. */
export const NAME = /^(?=.{1,40}$)[a-z\d]+(-[a-z\d]+)*$/;

export function isName(text: string): boolean {
  return NAME.test(text);
}

/** `8443`, or `8000-8999`. */
export function isPortRange(text: string): boolean {
  const [, from, to] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? [];
  return from !== undefined && Number(from) >= 1 && Number(from) <= Number(to ?? from) && Number(to ?? from) <= 65_535;
}

/** `192.0.2.53`, `192.0.2.53:5353`, `2001:db8::53` or `[2001:db8::53]:5353`, as `dns.Resolver.setServers` takes them. */
export function isDnsServer(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const [, v6, v4, port] = /^(?:\[([^\]]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = v6 === undefined ? isIP(v4 ?? '') === 4 : isIP(v6) === 6;
  return host && (port === undefined || (Number(port) >= 1 && Number(port) <= 65_535));
}
