import { setImmediate as turn } from 'node:timers/promises';
import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';
import { READ_LIMITS, Unreadable } from './read-limits.js';

type Parser = SaxesParser<{ xmlns: false; position: false }>;

/** Told of each element when it ends. @param path names without prefixes, such as `feedback/record/row` */
type ElementEnd = (path: string, text: string) => void;

interface XmlHandlers {
  readonly begin: (root: XmlRoot) => void;
  readonly end: ElementEnd;
}

/** `lenient`: a `<` or `&` that begins nothing is text, though XML wants it escaped, and what stands around a report need not end. */
type XmlEscapes = 'strict' | 'lenient';

/** What all reports of a mail may have together. */
export interface XmlBudget {
  /** Those that are left. */
  elements: number;
}

interface XmlReading {
  readonly escapes: XmlEscapes;
  readonly budget: XmlBudget;
}

export interface XmlRoot {
  readonly namespace: string | null;
}

/** So much is read before others get their turn: some milliseconds. */
const CHUNK_BYTES = 64 * 1024;
/** Chunks without any element: the parser would hold a text, a comment or a tag that long in memory, character by character. */
const MAX_CHUNKS_WITHOUT_ELEMENT = 2;
/** A report with an element around it. */
const WRAPPED = /^[^/]+\/feedback$/;
const MAX_NAME_LENGTH = 64;
const DECLARED_ENCODING = /^\s*<\?xml[^>]{0,100}\bencoding\s*=\s*["']([\w.:-]{1,40})["']/;

/**
 * Reads XML from beginning to end without building it in memory, gives way to others, and stops at the first thing that is
 * not well-formed. Nothing is looked up and no entity is expanded but the five of XML; a DOCTYPE is refused.
 * @throws Unreadable
 */
export async function walkXml(bytes: Uint8Array, heard: XmlHandlers, { escapes, budget }: XmlReading): Promise<void> {
  let elements = 0;
  let isWhole = false;
  const parser = parserFor(heard.begin, (path, text) => {
    if (++elements > READ_LIMITS.elements || --budget.elements < 0) throw new Unreadable('too_many_records');
    isWhole ||= WRAPPED.test(path);
    heard.end(path, text);
  });
  const decoder = decoderFor(bytes);
  const escaper = new BareMarks();
  let isBegun = false;
  let chunksWithoutElement = 0;
  for (let at = 0; at < bytes.byteLength; at += CHUNK_BYTES) {
    // The parser takes a slow way for each return, and reads it as a line end anyhow (XML 1.0 section 2.11).
    let text = decoder.decode(bytes.subarray(at, at + CHUNK_BYTES), { stream: true }).replace(/\r\n?/g, '\n');
    // Reporters put line ends before the declaration, where XML allows none.
    if (!isBegun) text = text.trimStart();
    isBegun ||= text !== '';
    const before = elements;
    parser.write(escapes === 'strict' ? text : escaper.add(text));
    chunksWithoutElement = elements === before ? chunksWithoutElement + 1 : 0;
    if (chunksWithoutElement > MAX_CHUNKS_WITHOUT_ELEMENT) throw new Unreadable('xml_malformed');
    await turn();
  }
  const rest = decoder.decode();
  parser.write(escapes === 'strict' ? rest : escaper.add(rest) + escaper.end());
  // What some put around a report they never end.
  if (escapes === 'strict' || !isWhole) parser.close();
}

function parserFor(begin: XmlHandlers['begin'], end: ElementEnd): Parser {
  const parser: Parser = new SaxesParser({ xmlns: false, position: false });
  const paths: string[] = [];
  let text = '';
  const add = (more: string): void => {
    if (text.length <= READ_LIMITS.textLength) text += more.slice(0, READ_LIMITS.textLength + 1);
  };
  parser.on('error', () => {
    throw new Unreadable('xml_malformed');
  });
  parser.on('doctype', () => {
    throw new Unreadable('xml_with_doctype');
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (paths.length >= READ_LIMITS.xmlDepth) throw new Unreadable('xml_too_deep');
    const local = localName(name);
    const parent = paths.at(-1);
    if (parent === undefined) begin({ namespace: namespaceOf(name, attributes) });
    paths.push(parent === undefined ? local : `${parent}/${local}`);
    text = '';
  });
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => {
    end(paths.pop() ?? '', text.trim());
    text = '';
  });
  return parser;
}

/** Prefixes are not looked up: few reporters declare the namespace, and some declare it wrongly. */
function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1, MAX_NAME_LENGTH).toLowerCase();
}

function namespaceOf(name: string, attributes: Readonly<Record<string, string>>): string | null {
  const colon = name.indexOf(':');
  return attributes[colon < 0 ? 'xmlns' : `xmlns:${name.slice(0, colon)}`] ?? null;
}

/** Bytes that are no text in their encoding become U+FFFD (`invalid_utf_8.xml` of parsedmarc's samples). */
function decoderFor(bytes: Uint8Array): TextDecoder {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be');
  const declared = DECLARED_ENCODING.exec(Buffer.from(bytes.subarray(0, 200)).toString('latin1'))?.[1];
  try {
    return new TextDecoder(declared);
  } catch {
    return new TextDecoder();
  }
}

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
