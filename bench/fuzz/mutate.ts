/** Longest mutant: over every limit that the things under test state for themselves. */
const MAX_LENGTH = 100_000;

/** Code points that parsers trip over: controls, specials, joiners, bidi, dots of other scripts, composing and lone surrogates. */
const AWKWARD = [
  ['\0', '\t', '\r', '\n', '\r\n', ' ', '"', '\\', '<', '>', '(', ')', '[', ']', ',', ';', ':', '@', '.', '..', '-'],
  ['+', '%', '%00', '%0d%0a', '/', '?', '#', '_', '\x7f', '\x85', '\xa0', '\xad', '\u0301', '\u0338', '\u037e'],
  ['\u200b', '\u200d', '\u202e', '\u2028', '\u2100', '\u212a', '\u3002', '\uff0e', '\uff20', '\ufeff', '\ufffe'],
  ['\ud800', '\udc00', '\u{1f600}', '\u05d0', '\u0660', 'ß', 'İ', 'ﬁ', 'xn--', 'mailto:', 'IPv6:', '::', '0x7f'],
].flat();

/** Mulberry32: small, seedable, even enough for mutations. Numbers in [0, 1). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A member of the pool after one to six changes. */
export function mutate(pool: readonly string[], random: () => number): string {
  let text = pick(pool, random);
  for (let changes = 1 + below(6, random); changes > 0; changes--) text = change(text, pool, random);
  return text.slice(0, MAX_LENGTH);
}

function change(text: string, pool: readonly string[], random: () => number): string {
  const at = below(text.length + 1, random);
  const size = 1 + below(random() < 0.8 ? 3 : text.length + 1, random);
  const head = text.slice(0, at);
  const tail = text.slice(at);
  switch (below(8, random)) {
    case 0:
      return head + tail.slice(size);
    case 1:
      return head + tail.slice(0, size) + tail;
    case 2:
      return head + pick(AWKWARD, random) + tail;
    case 3:
      return head + pick(AWKWARD, random) + tail.slice(1);
    case 4:
      return head + anyCharacter(random) + tail.slice(below(2, random));
    case 5:
      return splice(head, pick(pool, random), random);
    case 6:
      return head + repeatedly(tail.slice(0, size), random) + tail;
    default:
      return random() < 0.5 ? head + tail.toUpperCase() : head + tail.normalize('NFD');
  }
}

function splice(head: string, other: string, random: () => number): string {
  return head + other.slice(below(other.length + 1, random));
}

/** Seldom very often: what is slow on long input must show, without making every mutant long. */
function repeatedly(piece: string, random: () => number): string {
  const length = random() < 0.999 ? 400 : MAX_LENGTH;
  return piece.repeat(below(Math.ceil(length / Math.max(1, piece.length)), random));
}

/** Half ASCII, then the first planes of Unicode, surrogates included. */
function anyCharacter(random: () => number): string {
  if (random() < 0.5) return String.fromCharCode(below(128, random));
  return random() < 0.8 ? String.fromCharCode(below(0x10000, random)) : String.fromCodePoint(below(0x110000, random));
}

function pick(from: readonly string[], random: () => number): string {
  return from[below(from.length, random)] ?? '';
}

function below(limit: number, random: () => number): number {
  return Math.floor(random() * limit);
}
