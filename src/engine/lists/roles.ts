/**
 * Tells role local parts by the entries of `role.txt`: the whole local part must be one, or, for an entry that ends in
 * `*`, what stands before one of its separators (`support-de`, `billing.emea`, `no-reply_news`). A `+tag` does not matter,
 * nor does case: RFC 2142 section 2 wants role names recognised in any.
 */
export function createRoles(entries: readonly string[]): (localPart: string) => boolean {
  const beginnings = new Set(entries.filter((entry) => entry.endsWith('*')).map((entry) => entry.slice(0, -1)));
  const whole = new Set([...beginnings, ...entries.filter((entry) => !entry.endsWith('*'))]);
  const longest = [...whole].reduce((most, { length }) => Math.max(most, length), 0);
  return (localPart) => {
    const plus = localPart.indexOf('+', 1);
    const name = (plus === -1 ? localPart : localPart.slice(0, plus)).toLowerCase();
    return (name.length <= longest && whole.has(name)) || beginsWithOne(name, beginnings, longest);
  };
}

const DASH = 45;
const DOT = 46;
const UNDERSCORE = 95;

function beginsWithOne(name: string, beginnings: ReadonlySet<string>, longest: number): boolean {
  const last = Math.min(name.length - 1, longest);
  for (let at = 1; at <= last; at += 1) {
    const code = name.charCodeAt(at);
    if ((code === DASH || code === DOT || code === UNDERSCORE) && beginnings.has(name.slice(0, at))) return true;
  }
  return false;
}
