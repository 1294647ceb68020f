/** A header field as it stands, unfolded. */
export interface HeaderField {
  /** In small letters. */
  readonly name: string;
  readonly value: string;
  /** It has octets beyond ASCII. */
  readonly isAscii: boolean;
}

export interface HeaderBlock {
  readonly fields: readonly HeaderField[];
  /** The message without signatures beyond those that are looked at. */
  readonly judged: Buffer;
  readonly leftOutSignatures: number;
}

/** Larger ones are refused by receivers too: Postfix takes 100 KB of headers, Exchange 256. */
export const MAX_HEADER_BYTES = 256 * 1024;
const MAX_FIELDS = 2_000;
/** Each signature costs a look at the whole body, and a question or two: whoever sends must not choose how many. */
const MAX_SIGNATURES = 10;
const MAX_ARC_FIELDS = 60;

const LF = 0x0a;
const CR = 0x0d;

/** Reads the header fields of a message; null when it has too many or too large ones. */
export function readHeaderBlock(raw: Buffer): HeaderBlock | null {
  const fields: HeaderField[] = [];
  const kept: Buffer[] = [];
  let signatures = 0;
  let arcFields = 0;
  let leftOutSignatures = 0;
  let at = 0;
  while (at < raw.length) {
    const end = endOfField(raw, at);
    if (end > MAX_HEADER_BYTES || fields.length > MAX_FIELDS) return null;
    const bytes = raw.subarray(at, end);
    if (isBlank(bytes)) break;
    const field = fieldOf(bytes);
    if (field !== null) fields.push(field);
    if (field?.name === 'dkim-signature') signatures += 1;
    if (field?.name.startsWith('arc-')) arcFields += 1;
    const isLeftOut =
      (field?.name === 'dkim-signature' && signatures > MAX_SIGNATURES) ||
      (field?.name.startsWith('arc-') === true && arcFields > MAX_ARC_FIELDS);
    if (isLeftOut) leftOutSignatures += 1;
    else kept.push(bytes);
    at = end;
  }
  const judged = leftOutSignatures === 0 ? raw : Buffer.concat([...kept, raw.subarray(at)]);
  return { fields, judged, leftOutSignatures };
}

/** Behind the line feed that ends the field: the first whose next line does not go on with it. */
function endOfField(raw: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const lineEnd = raw.indexOf(LF, at);
    if (lineEnd < 0) return raw.length;
    at = lineEnd + 1;
    const next = raw[at];
    if ((next !== 0x20 && next !== 0x09) || isBlank(raw.subarray(from, at)) || at - from > MAX_HEADER_BYTES) return at;
  }
}

function isBlank(line: Buffer): boolean {
  return (line.length === 1 && line[0] === LF) || (line.length === 2 && line[0] === CR && line[1] === LF);
}

function fieldOf(bytes: Buffer): HeaderField | null {
  const colon = bytes.indexOf(0x3a);
  if (colon <= 0) return null;
  const name = bytes.subarray(0, colon).toString('latin1').trim().toLowerCase();
  const value = bytes
    .subarray(colon + 1)
    .toString('utf8')
    .replaceAll(/\r?\n(?=[ \t])/g, '')
    .trim();
  return { name, value, isAscii: bytes.every((octet) => octet < 0x80) };
}

/** All values of the fields of one name. */
export function valuesOf(fields: readonly HeaderField[], name: string): readonly string[] {
  return fields.filter((field) => field.name === name).map(({ value }) => value);
}
