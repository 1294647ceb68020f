const LF = 0x0a;
const CR = 0x0d;

/**
 * Looks for a line feed without a carriage return before it, in a mail that comes in pieces. Servers that take one for the end of a line
 * read two mails where others read one: "SMTP smuggling" (RFC 5321 section 2.3.8 forbids it).
 */
export class BareNewlines {
  #last = LF;
  #hasAny = false;

  get hasAny(): boolean {
    return this.#hasAny;
  }

  add(chunk: Uint8Array): void {
    if (chunk.length === 0 || this.#hasAny) return;
    for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, at + 1)) {
      const before = at === 0 ? this.#last : chunk[at - 1];
      if (before !== CR) {
        this.#hasAny = true;
        return;
      }
    }
    this.#last = chunk[chunk.length - 1]!;
  }
}
