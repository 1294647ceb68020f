import { promisify } from 'node:util';
import { gunzip, inflateRaw, type InflateRaw } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { readBounded } from '../../../lib/read-bounded.js';
import { READ_LIMITS, Unreadable } from './read-limits.js';

const gunzipBytes = promisify(gunzip) as (packed: Uint8Array, options: object) => Promise<Buffer>;
/** CRC and length, RFC 1952 section 2.3.1. */
const GZIP_TRAILER_BYTES = 8;
/** Each begins so. zlib takes 16 KB for each that it unpacks, and a mail has room for 300,000 of them: 4 GB. */
const GZIP_MEMBER = Buffer.from([0x1f, 0x8b, 0x08]);
const MAX_GZIP_MEMBERS = 100;

/** Gateways pack what is packed already once more (`.xml.gz.gz`). */
const MAX_GZIPS = 2;

/**
 * The reports themselves: one, or those of a zip, beside which there may be folders and texts.
 * @param maxBytes of all together
 * @throws Unreadable
 */
export async function* unpack(packed: Uint8Array, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = packed;
  for (let gzips = 0; gzips < MAX_GZIPS && contentOf(bytes) === 'gzip'; gzips++) bytes = await ungzip(bytes, maxBytes);
  if (contentOf(bytes) === 'zip') yield* unzip(bytes, maxBytes);
  else yield bytes;
}

async function ungzip(packed: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const limit = { maxOutputLength: maxBytes };
  if (hasTooManyMembers(packed)) throw new Unreadable('archive_malformed');
  try {
    return await gunzipBytes(packed, limit).catch(async (fault: unknown) => {
      const member = hasBytesAfterEnd(fault) ? await firstMemberOf(packed, limit) : null;
      if (member === null) throw fault;
      return await gunzipBytes(member, limit);
    });
  } catch (fault) {
    throw new Unreadable(codeOf(fault) === 'ERR_BUFFER_TOO_LARGE' ? 'unpacked_too_large' : 'archive_malformed');
  }
}

/** Other bytes may look like the beginning of one: of ten million that is likely once. */
function hasTooManyMembers(packed: Uint8Array): boolean {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  let members = 0;
  for (let at = bytes.indexOf(GZIP_MEMBER); at >= 0; at = bytes.indexOf(GZIP_MEMBER, at + 1))
    if (++members > MAX_GZIP_MEMBERS) return true;
  return false;
}

/** zlib says this where a gzip begins; the first one does begin like one, so that something else follows it. */
function hasBytesAfterEnd(fault: unknown): boolean {
  return codeOf(fault) === 'Z_DATA_ERROR' && fault instanceof Error && fault.message === 'incorrect header check';
}

/**
 * The first gzip without what follows it: Mimecast puts a line end there (`mimecast-weird-gzip.eml` of parsedmarc's samples).
 * How long it is, only inflating it tells.
 */
async function firstMemberOf(packed: Uint8Array, limit: object): Promise<Uint8Array | null> {
  const start = gzipHeaderBytes(packed);
  if (start === null) return null;
  const bytes = await new Promise<number>((resolve, reject) => {
    // Node gives both where `info` is set, which its types do not know.
    inflateRaw(packed.subarray(start), { ...limit, info: true }, (fault, result) => {
      if (fault === null) resolve((result as unknown as { readonly engine: InflateRaw }).engine.bytesWritten);
      else reject(fault);
    });
  });
  return packed.subarray(0, start + bytes + GZIP_TRAILER_BYTES);
}

/** RFC 1952 section 2.3: ten bytes, and after them what its flags announce. */
function gzipHeaderBytes(packed: Uint8Array): number | null {
  const flags = packed[3] ?? 0;
  let at = 10;
  if (flags & 4) at += 2 + (packed[at] ?? 0) + 256 * (packed[at + 1] ?? 0);
  for (const text of [8, 16]) {
    if (!(flags & text)) continue;
    const end = packed.indexOf(0, at);
    if (end < 0) return null;
    at = end + 1;
  }
  return flags & 2 ? at + 2 : at;
}

function codeOf(fault: unknown): unknown {
  return fault instanceof Error && 'code' in fault ? fault.code : null;
}

/** The sizes that a zip states are believed for refusing it only: what comes out is counted. */
async function* unzip(packed: Uint8Array, maxBytes: number): AsyncGenerator<Uint8Array> {
  try {
    const zip = await yauzl.fromBufferPromise(Buffer.from(packed), { lazyEntries: true, decodeStrings: false });
    if (zip.entryCount > READ_LIMITS.reports) throw new Unreadable('too_many_reports');
    let left = maxBytes;
    let reports = 0;
    for await (const entry of zip.eachEntry()) {
      const bytes = await bytesOf(zip, entry, left);
      left -= bytes.byteLength;
      const content = contentOf(bytes);
      if (content !== 'xml' && content !== 'json') continue;
      reports++;
      yield bytes;
    }
    if (reports === 0) throw new Unreadable(zip.entryCount === 0 ? 'archive_malformed' : 'no_report');
  } catch (fault) {
    throw fault instanceof Unreadable ? fault : new Unreadable('archive_malformed');
  }
}

/** A folder has none. Names are not looked at: nothing is written to a disk. */
async function bytesOf(zip: ZipFile, entry: Entry, maxBytes: number): Promise<Uint8Array> {
  if (entry.uncompressedSize > maxBytes) throw new Unreadable('unpacked_too_large');
  const bytes = await readBounded(await zip.openReadStreamPromise(entry), maxBytes);
  if (bytes === null) throw new Unreadable('unpacked_too_large');
  return bytes;
}

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
