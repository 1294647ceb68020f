/** What has no name in it: a code of a country or language, and an abbreviation, which has no vowel. */
const CODE = /^(?:[a-z]{0,2}|[b-df-hj-np-tv-xz]+)$/;
const SEPARATORS = /[-._]+/;
const FINAL_DIGITS = /\d+$/;

/**
 * Recognises role local parts by the entries of `role.txt`: `support` is a role alone (`support`) and before a separator and words
 * that are roles too, words listed as such (`+team`), codes or numbers (`support-de`, `support.team2`). Behind a role anything else
 * is taken for a name, because a person may work there: `support.jane` is one. `noreply*` is a role before a separator and anything:
 * nobody is called so. A `+tag` does not matter, nor does case: RFC 2142 section 2 wants role names recognised in any.
 */
export function createRoles(entries: readonly string[]): (localPart: string) => boolean {
  const beforeAnything = new Set(entries.filter((entry) => entry.endsWith('*')).map((entry) => entry.slice(0, -1)));
  const roles = new Set([...beforeAnything, ...entries.filter((entry) => !/^\+|\*$/.test(entry))]);
  const words = new Set([...roles, ...entries.filter((entry) => entry.startsWith('+')).map((entry) => entry.slice(1))]);
  const longest = [...roles].reduce((most, { length }) => Math.max(most, length), 0);

  function isWord(text: string): boolean {
    const word = text.replace(FINAL_DIGITS, '');
    return words.has(word) || CODE.test(word);
  }

  return (localPart) => {
    const plus = localPart.indexOf('+', 1);
    const name = (plus === -1 ? localPart : localPart.slice(0, plus)).toLowerCase();
    if (name.length <= longest && roles.has(name)) return true;
    const last = Math.min(name.length - 1, longest);
    for (let at = 1; at <= last; at += 1) {
      if (!isSeparator(name.charCodeAt(at))) continue;
      const first = name.slice(0, at);
      if (!roles.has(first)) continue;
      if (
        beforeAnything.has(first) ||
        name
          .slice(at + 1)
          .split(SEPARATORS)
          .every(isWord)
      )
        return true;
    }
    return false;
  };
}

const DASH = 45;
const DOT = 46;
const UNDERSCORE = 95;

function isSeparator(code: number): boolean {
  return code === DASH || code === DOT || code === UNDERSCORE;
}
