import { isIP } from 'node:net';
import { getDomain } from 'tldts';
import { type HtmlFacts, htmlFacts, type HtmlLink } from '../message/html-facts.js';
import type { ReadMessage } from '../message/read-message.js';
import { readUrl } from '../../../lib/read-url.js';

export interface AttachmentFact {
  readonly media_type: string;
  readonly size_bytes: number;
  /** The end of its name: `.pdf`; null: it has no name, or the name no ending. */
  readonly extension: string | null;
  /** Receivers refuse what can run. */
  readonly risky: boolean;
}

export interface LinksFact {
  readonly count: number;
  readonly insecure: number;
  /** Hosts that they lead to, each once, the first ones. */
  readonly hosts: readonly string[];
  readonly shorteners: readonly string[];
  readonly addresses: readonly string[];
  /** Links whose text shows another domain than they lead to. */
  readonly differing: readonly { readonly shown: string; readonly host: string }[];
}

export interface ContentSection {
  readonly size_bytes: number;
  readonly text_bytes: number;
  readonly html_bytes: number;
  readonly has_text: boolean;
  readonly has_html: boolean;
  readonly visible_characters: number;
  readonly images: number;
  readonly images_without_alt: number;
  readonly remote_images: number;
  /** Elements that no mail program runs. */
  readonly active_elements: readonly string[];
  readonly links: LinksFact;
  readonly attachments: readonly AttachmentFact[];
  readonly attachment_count: number;
}

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
export function contentSection({ raw, email }: ReadMessage): ContentSection | null {
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

function linksFact({ links, linkCount }: HtmlFacts, text: string): LinksFact {
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
