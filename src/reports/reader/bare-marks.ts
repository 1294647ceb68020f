/** A tag, a comment, a declaration: what a `<` may begin. */
const MARKUP = /^<(?:\/?[A-Za-z_:][\w:.-]*(?=[\s/>])|!--|!\[CDATA\[|!DOCTYPE|\?)/i;
/** XML 1.0 section 4.6 has these five. */
const ENTITY = /^&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-f]{1,6});/i;
/** Behind so many characters it is known what a mark begins. */
const MAX_AHEAD = 80;

/** Escapes each `<` and `&` that begins nothing, in a text that comes in pieces. */
export class BareMarks {
  #rest = '';

  add(text: string): string {
    const whole = this.#rest + text;
    const last = Math.max(whole.lastIndexOf('<'), whole.lastIndexOf('&'));
    const isCut = last >= 0 && whole.length - last < MAX_AHEAD;
    this.#rest = isCut ? whole.slice(last) : '';
    return escaped(isCut ? whole.slice(0, last) : whole);
  }

  end(): string {
    return escaped(this.#rest);
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[<&]/g, (mark, at: number) => {
    const ahead = text.slice(at, at + MAX_AHEAD);
    if (mark === '&') return ENTITY.test(ahead) ? mark : '&amp;';
    return MARKUP.test(ahead) ? mark : '&lt;';
  });
}
