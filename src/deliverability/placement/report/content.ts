import { isIP } from 'node:net';
import { getDomain } from 'tldts';
import { Parser } from 'htmlparser2';
import type { ReadMessage } from './read-message.js';
import { readUrl } from '../../../lib/read-url.js';
import type { ContentReply, LinksReply } from './report-sections.reply.js';

const NO_HTML: HtmlFacts = {
  links: [],
  linkCount: 0,
  images: 0,
  imagesWithoutAlt: 0,
  remoteImages: 0,
  active: [],
  visibleCharacters: 0,
};
const MAX_HOSTS = 50;
const MAX_ATTACHMENTS = 50;
const MAX_TEXT = 200;

/** Services that hide where a link leads. */
const SHORTENERS: ReadonlySet<string> = new Set([
  'bit.ly', 'bitly.com', 'buff.ly', 'cutt.ly', 'dlvr.it', 'goo.gl', 'is.gd', 'lnkd.in', 'ow.ly', 'rb.gy', 'rebrand.ly', 's.id',
  'shorturl.at', 't.co', 't.ly', 'tiny.cc', 'tinyurl.com', 'v.gd',
]); // prettier-ignore

/** What Gmail blocks in attachments (support.google.com/mail/answer/6590), and macros. */
const RISKY =
  /^\.(ade|adp|apk|appx|appxbundle|bat|cab|chm|cmd|com|cpl|diagcab|dll|dmg|docm|ex|ex_|exe|hta|img|ins|iso|isp|jar|jnlp|js|jse|lib|lnk|mde|mjs|msc|msi|msix|msp|mst|nsh|pif|pptm|ps1|scr|sct|shb|sys|vb|vbe|vbs|vhd|vxd|wsc|wsf|wsh|xll|xlsm)$/;

/** Null: its parts cannot be read, so nobody knows whether there is anything in them. */
export function contentSection({ raw, email }: ReadMessage): ContentReply | null {
  if (email === null) return null;
  const { html = '', text = '', attachments } = email;
  const facts = html === '' ? NO_HTML : htmlFacts(html);
  return {
    size_bytes: raw.length,
    text_bytes: Buffer.byteLength(text),
    html_bytes: Buffer.byteLength(html),
    has_text: text.trim() !== '',
    has_html: html.trim() !== '',
    visible_characters: Math.max(facts.visibleCharacters, html === '' ? text.trim().length : 0),
    images: facts.images,
    images_without_alt: facts.imagesWithoutAlt,
    remote_images: facts.remoteImages,
    active_elements: facts.active,
    links: linksFact(facts, text),
    attachments: attachments.slice(0, MAX_ATTACHMENTS).map(({ mimeType, content, filename }) => {
      const extension = /\.[a-z0-9_]{1,10}$/.exec((filename ?? '').trim().toLowerCase())?.[0] ?? null;
      const size = typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength;
      const isRisky = extension !== null && RISKY.test(extension);
      return { media_type: mimeType.slice(0, MAX_TEXT), size_bytes: size, extension, risky: isRisky };
    }),
    attachment_count: attachments.length,
  };
}

function linksFact({ links, linkCount }: HtmlFacts, text: string): LinksReply {
  const inText = linkCount > 0 ? [] : linksInText(text);
  const all = [...links, ...inText].flatMap((link) => {
    const url = readUrl(link.href);
    return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' ? [{ url, text: link.text }] : [];
  });
  const hosts = [...new Set(all.map(({ url }) => url.hostname.replace(/^\[|\]$/g, '')))];
  return {
    count: linkCount + inText.length,
    insecure: all.filter(({ url }) => url.protocol === 'http:').length,
    hosts: hosts.slice(0, MAX_HOSTS),
    shorteners: hosts.filter((host) => SHORTENERS.has(getDomain(host) ?? host)).slice(0, MAX_HOSTS),
    addresses: hosts.filter((host) => isIP(host) !== 0).slice(0, MAX_HOSTS),
    differing: all.flatMap(({ url, text: shown }) => differs(url.hostname, shown) ?? []).slice(0, MAX_HOSTS),
  };
}

const MAX_TEXT_LINKS = 200;

function linksInText(text: string): HtmlLink[] {
  const found: HtmlLink[] = [];
  for (const [href] of text.matchAll(/\bhttps?:\/\/[^\s<>"']{1,2000}/gi)) {
    found.push({ href, text: '' });
    if (found.length === MAX_TEXT_LINKS) break;
  }
  return found;
}

/** A text that is a domain, or begins as an address on the web, and its domain is another. */
function differs(host: string, text: string): { shown: string; host: string } | null {
  const [, shown] = /^(?:https?:\/\/)?((?:[a-z0-9-]{1,63}\.)+[a-z]{2,24})(?:[/:?#]\S*)?$/i.exec(text) ?? [];
  if (shown === undefined) return null;
  const [one, other] = [getDomain(shown), getDomain(host)];
  return one === null || one === other ? null : { shown: shown.toLowerCase(), host };
}

/** A link as it is written; nobody follows it. */
interface HtmlLink {
  readonly href: string;
  /** What a reader sees of it. */
  readonly text: string;
}

interface HtmlFacts {
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
