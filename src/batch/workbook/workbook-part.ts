import type { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { crc32 } from 'node:zlib';
import { SaxesParser } from 'saxes';
import { AppError, invalidField } from '../../platform/errors/app-error.js';
import type { Unpacking } from './unpacking.js';

/** Told of the elements of a part while it is read. Names are without prefixes. */
export interface PartListener {
  begin(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  /** @returns true when the listener wants nothing of what follows the element */
  end?(name: string): boolean;
}

/** A sheet has six of its own, and what others add a few more. */
const MAX_DEPTH = 50;
/** Excel allows 32,767 (ECMA-376, 18.4.12). Runs of letters stand in elements of their own, so that tags do not bound them. */
export const MAX_CELL_CHARACTERS = 65_536;
/** The parser would hold a text, a comment or a tag that long in memory. */
const MAX_BYTES_WITHOUT_TAG = 262_144;

export interface Part {
  readonly bytes: Readable;
  /** What the archive says of it. */
  readonly crc32: number;
}

export function noWorkbook(cause?: unknown): AppError {
  const error = invalidField('body', 'is no whole Excel workbook (.xlsx): open it, and save it again');
  return cause === undefined ? error : Object.assign(error, { cause });
}

/**
 * Reads an XML part from beginning to end without building it in memory, a slice each time that it is asked to go on. No entity is expanded
 * but the five of XML, and a DOCTYPE is refused.
 * @throws AppError `invalid_input` for what is no XML, `body_too_large`
 */
export async function* readPart(part: Part, listener: PartListener, unpacking: Unpacking): AsyncGenerator<void> {
  let depth = 0;
  let isOver = false;
  let bytesSinceTag = 0;
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on('error', (error) => {
    throw noWorkbook(error);
  });
  parser.on('doctype', () => {
    throw noWorkbook();
  });
  parser.on('opentag', ({ name, attributes }) => {
    bytesSinceTag = 0;
    if (++depth > MAX_DEPTH) throw noWorkbook();
    if (!isOver) listener.begin(localName(name), attributes);
  });
  parser.on('text', (text) => {
    if (!isOver) listener.text?.(text);
  });
  parser.on('cdata', (text) => {
    if (!isOver) listener.text?.(text);
  });
  parser.on('closetag', ({ name }) => {
    bytesSinceTag = 0;
    depth -= 1;
    isOver ||= listener.end?.(localName(name)) ?? false;
  });
  let decoder: TextDecoder | null = null;
  let sum = 0;
  try {
    for await (const piece of part.bytes as AsyncIterable<Buffer>) {
      await unpacking.take(piece.length);
      sum = crc32(piece, sum);
      bytesSinceTag += piece.length;
      if (bytesSinceTag > MAX_BYTES_WITHOUT_TAG) throw noWorkbook();
      decoder ??= decoderOf(piece);
      const text = decoder.decode(piece, { stream: true });
      // The parser takes a slow way for each return, and reads it as a line end anyhow (XML 1.0 section 2.11).
      parser.write(text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);
      yield;
    }
    parser.write(decoder?.decode() ?? '');
    parser.close();
    if (sum !== part.crc32) throw noWorkbook();
    yield;
  } catch (error) {
    throw error instanceof AppError ? error : noWorkbook(error);
  } finally {
    part.bytes.destroy();
  }
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}

/** Parts are UTF-8 or UTF-16 (ECMA-376 part 2, 8.1.4), which begins with its mark. */
function decoderOf([first, second]: Buffer): TextDecoder {
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le', { fatal: true });
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be', { fatal: true });
  return new TextDecoder('utf-8', { fatal: true });
}
