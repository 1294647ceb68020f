import { decodeWords } from 'postal-mime';

export interface HeaderField {
  /** In lower case. */
  readonly name: string;
  /** Unfolded. */
  readonly value: string;
}

const MAX_FIELDS = 500;
const MAX_VALUE = 8_000;
const FIELD = /^([!-9;-~]{1,100})[ \t]*:([\s\S]*)$/;

/** The fields of a header section, from the top (RFC 5322 section 2.2); what is no field is left out. */
export function headerFields(head: Buffer): HeaderField[] {
  const [section = ''] = head.toString('utf8').split(/\r?\n\r?\n/, 1);
  const fields: HeaderField[] = [];
  // A line that begins with a blank goes on with the one before.
  for (const text of section.split(/\r?\n(?![ \t])/)) {
    if (fields.length === MAX_FIELDS) break;
    const [, name, value] = FIELD.exec(text) ?? [];
    if (name === undefined || value === undefined) continue;
    const unfolded = value
      .slice(0, MAX_VALUE)
      .replace(/\r?\n(?=[ \t])/g, '')
      .replaceAll('\0', '');
    fields.push({ name: name.toLowerCase(), value: unfolded.trim() });
  }
  return fields;
}

export function firstField(fields: readonly HeaderField[], name: string): string | null {
  return fields.find((field) => field.name === name)?.value ?? null;
}

/** As a person reads it (RFC 2047), with one blank between words. */
export function decodedText(value: string): string {
  return decodeWords(value).replace(/\s+/g, ' ').trim();
}

/** The id without anything around it; null for what is none. */
export function messageIdOf(fields: readonly HeaderField[]): string | null {
  return /<([^<>\s]{1,500})>/.exec(firstField(fields, 'message-id') ?? '')?.[1] ?? null;
}

/** The domain of the author's address, in lower case. */
export function fromDomainOf(fields: readonly HeaderField[]): string | null {
  const value = firstField(fields, 'from') ?? '';
  // In angle brackets, if there are any: a display name may hold another address.
  const address = /<([^<>]{1,320})>[^<>]*$/.exec(value)?.[1] ?? value;
  return /@([^@\s<>"(),;]{1,253})\s*$/.exec(address)?.[1]?.toLowerCase() ?? null;
}
