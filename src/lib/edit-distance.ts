const KEY_ROWS = ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

const NEIGHBOURS = neighboursOf(KEY_ROWS);

/** Above every budget: this change is no typing slip. */
const NEVER = 9;

/** The length from which a name is recognised by its other letters when any one letter is wrong. */
const DISTINCT_LENGTH = 7;

/**
 * Slips between two names: letters swapped, left out, doubled or put in, or another key hit (Damerau-Levenshtein, no letter
 * edited twice). In a short name only a neighbouring key counts as hit by mistake, and the first letter is as meant: mail,
 * fmail and tmail are no slips of gmail. A longer name may be one slip away when it starts otherwise.
 * Returns more than `budget` as soon as that is certain.
 */
export function typingSlips(given: string, meant: string, budget: number): number {
  const short = meant.length < DISTINCT_LENGTH;
  const startsAlike = given[0] === meant[0] || (given[0] === meant[1] && given[1] === meant[0]);
  if (short && !startsAlike) return NEVER;
  const slips = distance(given, meant, startsAlike ? budget : 1, (i, j) => {
    if (NEIGHBOURS.has(given.charAt(i) + meant.charAt(j))) return 1;
    return short || j === 0 ? NEVER : 1;
  });
  return startsAlike || slips <= 1 ? slips : NEVER;
}

/** Damerau-Levenshtein distance in which every edit costs one; for suffixes, where any wrong letter is a slip. */
export function editDistance(given: string, meant: string, budget: number): number {
  return distance(given, meant, budget, () => 1);
}

/** The names that the given one may be meant as, within so many slips; the nearest first. */
export function namesNear(given: string, names: Iterable<string>, budget: number): string[] {
  const near: (readonly [name: string, slips: number])[] = [];
  for (const name of names) {
    const slips = editDistance(given, name, budget);
    if (slips <= budget) near.push([name, slips]);
  }
  return near.sort(([, one], [, other]) => one - other).map(([name]) => name);
}

function distance(
  given: string,
  meant: string,
  budget: number,
  substitution: (i: number, j: number) => number,
): number {
  if (Math.abs(given.length - meant.length) > budget) return NEVER;
  let beforeLast: number[] = [];
  let last = Array.from({ length: meant.length + 1 }, (_, j) => j);
  for (let i = 0; i < given.length; i++) {
    const row = [i + 1];
    for (let j = 0; j < meant.length; j++) {
      const same = given[i] === meant[j];
      let cost = at(last, j) + (same ? 0 : substitution(i, j));
      cost = Math.min(cost, at(last, j + 1) + 1, at(row, j) + 1);
      if (i > 0 && j > 0 && given[i] === meant[j - 1] && given[i - 1] === meant[j]) {
        cost = Math.min(cost, at(beforeLast, j - 1) + 1);
      }
      row.push(cost);
    }
    if (Math.min(...row) > budget) return NEVER;
    beforeLast = last;
    last = row;
  }
  return at(last, meant.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? NEVER;
}

/** The letters of a name as bits. One edit changes at most two of them, so the bits rule out most pairs of names without a distance. */
export function letterBits(name: string): number {
  let bits = 0;
  for (let i = 0; i < name.length; i++) bits |= 1 << (name.charCodeAt(i) & 31);
  return bits;
}

export function bitsApart(a: number, b: number): number {
  let count = 0;
  for (let rest = a ^ b; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** Pairs of letters whose keys touch on a QWERTY keyboard; each row is shifted about half a key to the right of the one above. */
function neighboursOf(rows: readonly string[]): ReadonlySet<string> {
  const pairs = new Set<string>();
  rows.forEach((row, r) => {
    for (let i = 0; i < row.length; i++) {
      for (const other of [row[i + 1], rows[r + 1]?.[i], rows[r + 1]?.[i - 1]]) {
        if (other !== undefined) pairs.add(row.charAt(i) + other).add(other + row.charAt(i));
      }
    }
  });
  return pairs;
}
