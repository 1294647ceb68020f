/** No address is this long: a longer line is cut, so it is judged malformed and never held whole. */
const LONGEST_LINE = 4_096;

/** The lines of a text that comes in pieces, trimmed, without empty ones and without a byte order mark. */
export async function* addressLines(pieces: AsyncIterable<string>): AsyncGenerator<string, void, void> {
  let partial = '';
  let first = true;
  for await (const piece of pieces) {
    const lines = (first ? piece.replace(/^\uFEFF/, '') : piece).split('\n');
    first = false;
    for (let at = 0; at < lines.length; at += 1) {
      const line = partial + lines[at]!.slice(0, LONGEST_LINE - partial.length);
      if (at === lines.length - 1) partial = line;
      else {
        partial = '';
        const address = line.trim();
        if (address !== '') yield address;
      }
    }
  }
  const address = partial.trim();
  if (address !== '') yield address;
}
