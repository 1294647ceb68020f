/**
 * Takes an address out of what people paste: `<addr>`, `Name <addr>`, `mailto:addr?query` (RFC 6068), each in the other at most once.
 * Returns null for a `mailto:` whose percent-encoding does not decode.
 */
export function unwrap(text: string): string | null {
  const inner = text.endsWith('>') ? insideAngles(text) : text;
  return /^mailto:/i.test(inner) ? fromMailto(inner) : inner;
}

function insideAngles(text: string): string {
  const open = openingAngle(text);
  return open < 0 ? text : text.slice(open + 1, -1).trim();
}

/** The first `<` outside a quoted display name: a quoted local part may hold one as well. */
function openingAngle(text: string): number {
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '"') quoted = !quoted;
    else if (character === '\\' && quoted) i++;
    else if (character === '<' && !quoted) return i;
  }
  return -1;
}

function fromMailto(text: string): string | null {
  const encoded = text.slice('mailto:'.length).split('?', 1)[0] ?? '';
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
