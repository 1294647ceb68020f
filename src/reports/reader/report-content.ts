export type Content = 'gzip' | 'zip' | 'xml' | 'json';

const HEAD_BYTES = 256;
/** What may stand before the root of a report; a DOCTYPE is refused where it is met. */
const XML_HEAD =
  /^(?:<\?xml\b|<!--|<!DOCTYPE\b|<(?:[\w.-]+:)?feedback[\s>/]|<[\w.:-]+[^>]*>\s*<(?:[\w.-]+:)?(?:feedback|version|report_metadata)[\s>/])/i;
const JSON_HEAD = /^\{\s*["}]/;
const UTF16 = /^(?:\xff\xfe|\xfe\xff)/;

/** What bytes are, by their beginning; null: nothing that a report comes in. */
export function contentOf(bytes: Uint8Array): Content | null {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1');
  if (head.startsWith('\x1f\x8b')) return 'gzip';
  if (head.startsWith('PK\x03\x04')) return 'zip';
  if (UTF16.test(head)) return 'xml';
  const text = head.replace(/^(?:\xef\xbb\xbf|\s)+/, '');
  if (XML_HEAD.test(text)) return 'xml';
  return JSON_HEAD.test(text) ? 'json' : null;
}
