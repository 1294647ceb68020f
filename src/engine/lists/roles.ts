/** A role as the first word before a separator names the whole: `support-de`, `billing.emea`. */
const FIRST_WORD = /^([^._-]+)[._-]/;

/**
 * Tells role local parts from entries of `role.txt`: the whole local part must be one, or, for an entry that ends in
 * `*`, the word before its first separator. Case and a `+tag` do not matter (both are so in RFC 5321 and in practice
 * for the roles of RFC 2142).
 */
export function createRoles(entries: readonly string[]): (localPart: string) => boolean {
  const firstWords = new Set(entries.filter((entry) => entry.endsWith('*')).map((entry) => entry.slice(0, -1)));
  const exact = new Set([...entries.filter((entry) => !entry.endsWith('*')), ...firstWords]);
  return (localPart) => {
    const plus = localPart.indexOf('+', 1);
    const name = (plus === -1 ? localPart : localPart.slice(0, plus)).toLowerCase();
    if (exact.has(name)) return true;
    const first = FIRST_WORD.exec(name)?.[1];
    return first !== undefined && firstWords.has(first);
  };
}
