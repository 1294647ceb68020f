export type Content = 'gzip' | 'zip' | 'xml' | 'json';

const HEAD_BYTES = 4_096;
/** What XML may have before its root; pages and drawings begin so too. */
const PROLOG = /^(?:\s|<\?[^>]*>|<!--[^]*?-->|<!DOCTYPE\b[^[>]*(?:\[[^\]]*\]\s*)?>)*/i;
/** A DOCTYPE is refused where it is met. */
const DECLARED = /^<(?:\?xml|!DOCTYPE)\b/i;
const REPORT_ROOT =
  /^<(?:[\w.-]+:)?feedback(?:[\s>/]|$)|^<[\w.:-]+(?:\s[^>]*)?>\s*<(?:[\w.-]+:)?(?:feedback|version|report_metadata)[\s>/]/i;
/** Bodies in HTML, and logos. */
const OTHER_TYPE = /<!DOCTYPE\s+(?:html|svg)\b/i;
const OTHER_ROOT = /^<(?:[\w.-]+:)?(?:html|svg)\b/i;
const JSON_HEAD = /^\{\s*["}]/;
const UTF16 = new Map([
  ['\xff\xfe', 'utf-16le'],
  ['\xfe\xff', 'utf-16be'],
]);

/** What bytes are, by their beginning; null: nothing that a report comes in. */
export function contentOf(bytes: Uint8Array): Content | null {
  const start = bytes.subarray(0, HEAD_BYTES);
  const head = Buffer.from(start).toString('latin1');
  if (head.startsWith('\x1f\x8b')) return 'gzip';
  if (head.startsWith('PK\x03\x04')) return 'zip';
  const utf16 = UTF16.get(head.slice(0, 2));
  const text = utf16 === undefined ? head.replace(/^\xef\xbb\xbf/, '') : new TextDecoder(utf16).decode(start);
  const shown = text.trimStart();
  if (isXml(shown)) return 'xml';
  return JSON_HEAD.test(shown) ? 'json' : null;
}

function isXml(text: string): boolean {
  const [prolog = ''] = PROLOG.exec(text) ?? [];
  const root = text.slice(prolog.length);
  if (REPORT_ROOT.test(root)) return true;
  return DECLARED.test(text) && !OTHER_TYPE.test(text) && !OTHER_ROOT.test(root);
}
