import { Parser } from 'htmlparser2';

/** A link as it is written; nobody follows it. */
export interface HtmlLink {
  readonly href: string;
  /** What a reader sees of it. */
  readonly text: string;
}

export interface HtmlFacts {
  readonly links: readonly HtmlLink[];
  readonly linkCount: number;
  readonly images: number;
  readonly imagesWithoutAlt: number;
  readonly remoteImages: number;
  /** Elements that no mail program runs, by name. */
  readonly active: readonly string[];
  /** Characters that a reader sees. */
  readonly visibleCharacters: number;
}

const MAX_LINKS = 500;
const MAX_LINK_TEXT = 200;
const MAX_HREF = 2_048;
/** The parser's work grows with the square of the depth: what is deeper is read no further. */
const MAX_DEPTH = 400;
/** Between two looks at the depth. */
const PIECE = 16_384;
const ACTIVE: ReadonlySet<string> = new Set(['script', 'form', 'iframe', 'frame', 'object', 'embed', 'applet']);
const UNSEEN: ReadonlySet<string> = new Set(['style', 'script', 'title', 'head', 'template']);

/** Reads HTML as a stream of elements: it is never rendered, no tree is built of it, and what is too deep is not read to its end. */
export function htmlFacts(html: string): HtmlFacts {
  const links: HtmlLink[] = [];
  const active = new Set<string>();
  let open: { href: string; text: string } | null = null;
  let linkCount = 0;
  let images = 0;
  let imagesWithoutAlt = 0;
  let remoteImages = 0;
  let unseen = 0;
  let visibleCharacters = 0;
  let depth = 0;
  const close = (): void => {
    if (open !== null && links.length < MAX_LINKS) links.push({ ...open, text: open.text.trim() });
    open = null;
  };
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        depth += 1;
        if (UNSEEN.has(name)) unseen += 1;
        if (ACTIVE.has(name)) active.add(name);
        if (name === 'img') {
          images += 1;
          if (attributes['alt'] === undefined) imagesWithoutAlt += 1;
          if (/^\s*(https?:)?\/\//i.test(attributes['src'] ?? '')) remoteImages += 1;
        }
        if ((name === 'a' || name === 'area') && attributes['href'] !== undefined) {
          close();
          linkCount += 1;
          open = { href: attributes['href'].trim().slice(0, MAX_HREF), text: '' };
          if (name === 'area') close();
        }
      },
      ontext: (text) => {
        if (unseen > 0) return;
        visibleCharacters += text.trim().length;
        if (open !== null && open.text.length < MAX_LINK_TEXT) open.text += text.slice(0, MAX_LINK_TEXT);
      },
      onclosetag: (name) => {
        depth -= 1;
        if (UNSEEN.has(name)) unseen = Math.max(0, unseen - 1);
        if (name === 'a') close();
      },
    },
    { decodeEntities: true },
  );
  for (let at = 0; at < html.length && depth <= MAX_DEPTH; at += PIECE) parser.write(html.slice(at, at + PIECE));
  parser.end();
  close();
  return {
    links,
    linkCount,
    images,
    imagesWithoutAlt,
    remoteImages,
    active: [...active].toSorted(),
    visibleCharacters,
  };
}
