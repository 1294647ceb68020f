/* Checks of what a JSON file holds: each gives the value back with its type, or refuses it by its path. */

/** @param where the value's path, for the refusal. @throws WrongValue */
export type Check<T> = (value: unknown, where: string) => T;
export type Checks<T> = { readonly [Member in keyof T]: Check<T[Member]> };
/** What has passed the checks. */
export type Checked<C> = { readonly [Member in keyof C]: C[Member] extends Check<infer T> ? T : never };

const NO_SUCH_MEMBER = 'nothing: there is no such member';

export class WrongValue extends Error {
  constructor(
    readonly where: string,
    readonly value: unknown,
    readonly allowed: string,
  ) {
    const problem = `${JSON.stringify(value) ?? 'missing'} is not allowed, only ${allowed}`;
    super(`${where}: ${allowed === NO_SUCH_MEMBER ? 'there is no such member' : problem}`);
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object of these members; another one is refused too, since it is a misspelt known one. */
export function object<C extends Checks<object>>(checks: C): Check<Checked<C>> {
  return (value, where) => {
    if (!isObject(value)) throw new WrongValue(where, value, 'an object');
    const unknown = Object.keys(value).find((member) => !Object.hasOwn(checks, member));
    if (unknown !== undefined) throw new WrongValue(`${where}.${unknown}`, value[unknown], NO_SUCH_MEMBER);
    const members = Object.entries(checks as Checks<Record<string, unknown>>);
    return Object.fromEntries(
      members.map(([member, check]) => [member, check(value[member], `${where}.${member}`)]),
    ) as Checked<C>;
  };
}

export function listOf<T>(check: Check<T>, allowed = 'a list', min = 0, max = Infinity): Check<readonly T[]> {
  return (value, where) => {
    if (!Array.isArray(value) || value.length < min || value.length > max) throw new WrongValue(where, value, allowed);
    return value.map((one: unknown, index) => check(one, `${where}[${index}]`));
  };
}

export function passing<T>(isRight: (value: unknown) => boolean, allowed: string): Check<T> {
  return (value, where) => {
    if (isRight(value)) return value as T;
    throw new WrongValue(where, value, allowed);
  };
}

export function oneOf<T extends string>(...words: readonly T[]): Check<T> {
  return passing((value) => words.includes(value as T), words.join(', '));
}

export function matching(pattern: RegExp, allowed: string): Check<string> {
  return passing((value) => typeof value === 'string' && pattern.test(value), allowed);
}

export function number(min: number, max: number, allowed = `a number from ${min} to ${max}`): Check<number> {
  return passing((value) => typeof value === 'number' && value >= min && value <= max, allowed);
}

export function count(min: number, max: number, allowed = `a whole number from ${min} to ${max}`): Check<number> {
  return passing((value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max, allowed);
}

export const flag = passing<boolean>((value) => typeof value === 'boolean', 'true or false');

export const text = matching(/^(?=[^]*\S)[^]{1,1000}$/, 'a text of 1 to 1000 characters');

export function orNull<T>(check: Check<T>): Check<T | null> {
  return (value, where) => (value === null ? null : check(value, where));
}

/** @param otherwise what holds when nothing is said, or null */
export function optional<T, D>(check: Check<T>, otherwise: D): Check<T | D> {
  return (value, where) => (value === undefined || value === null ? otherwise : check(value, where));
}
