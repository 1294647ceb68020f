export type EntryKind = 'domain' | 'role' | 'domain or hash';

const DOMAIN = /^(?=.{3,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/;
const HASH = /^[0-9a-f]{64}$/;

const ALLOWED: Readonly<Record<EntryKind, (entry: string) => boolean>> = {
  domain: (entry) => DOMAIN.test(entry),
  role: (entry) => /^[\p{Ll}\p{Lo}\p{M}\p{N}._-]{1,64}\*?$/u.test(entry),
  'domain or hash': (entry) => DOMAIN.test(entry) || HASH.test(entry),
};

/**
 * The entries of a list file: one a line, `#` starts a comment, empty lines are skipped.
 * @throws Error naming list and line at the first entry that is not of the kind.
 */
export function entries(list: string, text: string, kind: EntryKind): readonly string[] {
  const isAllowed = ALLOWED[kind];
  const found: string[] = [];
  text.split('\n').forEach((line, index) => {
    const hash = line.indexOf('#');
    const entry = (hash === -1 ? line : line.slice(0, hash)).trim();
    if (entry === '') return;
    if (!isAllowed(entry)) throw new Error(`${list}.txt line ${index + 1}: ${JSON.stringify(entry)} is not a ${kind}`);
    found.push(entry);
  });
  return found;
}
