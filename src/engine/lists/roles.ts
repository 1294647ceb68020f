/**
 * Tells role local parts by the entries of `role.txt`: the whole local part must be one, or, for an entry that ends in
 * `*`, what stands before one of its separators (`support-de`, `billing.emea`, `no-reply_news`). A `+tag` does not matter,
 * nor does case: RFC 2142 section 2 wants role names recognised in any.
 */
export function createRoles(entries: readonly string[]): (localPart: string) => boolean {
  const beginnings = new Set(entries.filter((entry) => entry.endsWith('*')).map((entry) => entry.slice(0, -1)));
  const whole = new Set([...beginnings, ...entries.filter((entry) => !entry.endsWith('*'))]);
  return (localPart) => {
    const plus = localPart.indexOf('+', 1);
    const name = (plus === -1 ? localPart : localPart.slice(0, plus)).toLowerCase();
    return whole.has(name) || beginsWithOne(name, beginnings);
  };
}

function beginsWithOne(name: string, beginnings: ReadonlySet<string>): boolean {
  for (let at = 1; at < name.length; at += 1) {
    const character = name[at];
    if ((character === '-' || character === '.' || character === '_') && beginnings.has(name.slice(0, at))) return true;
  }
  return false;
}
