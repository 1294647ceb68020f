import { decodeWords } from 'postal-mime';
import type { SeedStatus } from '../placement-test.js';

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

export type SeedAuthentication = NonNullable<SeedStatus['authentication']>;

/** Whose `Authentication-Results` are the provider's own words. */
export interface ResultsWriter {
  /** Names of servers, or `*.` and a name for all below it. */
  readonly authservIds: readonly string[];
  readonly isUnnamed: boolean;
}

const METHODS = ['spf', 'dkim', 'dmarc'] as const;
/** RFC 8601 section 2.7; Microsoft has `bestguesspass` for domains without DMARC. */
const RESULTS = new Set('none pass fail softfail policy neutral temperror permerror hardfail bestguesspass'.split(' '));
const MAX_RESULTS = 50;

/**
 * What a provider itself says of the authentication of a mail: in the topmost header whose authserv-id is its own, and in no other, since
 * whoever wrote the mail may have written more of them below it (RFC 8601 section 5).
 * @returns null: it says nothing
 */
export function authenticationOf(fields: readonly HeaderField[], writer: ResultsWriter): SeedAuthentication | null {
  const headers = fields.filter(({ name }) => name === 'authentication-results').map(({ value }) => parsed(value));
  const own = headers.find((header) => header !== null && isOwn(header.authservId, writer));
  if (own === undefined || own === null) return null;
  const said = (method: string): string | null => {
    const results = own.results.filter((one) => one.method === method).map(({ result }) => result);
    // One valid signature is enough (RFC 6376 section 6.1).
    return results.find((result) => result === 'pass') ?? results[0] ?? null;
  };
  const [spf, dkim, dmarc] = METHODS.map(said);
  return { spf: spf ?? null, dkim: dkim ?? null, dmarc: dmarc ?? null };
}

interface ParsedHeader {
  /** Null: it names no server. */
  readonly authservId: string | null;
  readonly results: readonly { readonly method: string; readonly result: string }[];
}

function parsed(value: string): ParsedHeader | null {
  const [first = '', ...rest] = withoutComments(value).split(';', MAX_RESULTS);
  const unnamed = first.includes('=');
  const authservId = unnamed ? null : (/^\s*"?([^\s";]{1,253})"?(\s+\d+)?\s*$/.exec(first)?.[1]?.toLowerCase() ?? null);
  if (!unnamed && authservId === null) return null;
  const results = (unnamed ? [first, ...rest] : rest).flatMap((text) => {
    const [, method = '', result = ''] = /^\s*([a-z]+)(?:\/\d+)?\s*=\s*([a-z]+)\b/i.exec(text) ?? [];
    return RESULTS.has(result.toLowerCase()) ? [{ method: method.toLowerCase(), result: result.toLowerCase() }] : [];
  });
  return { authservId, results };
}

/** Comments nest (RFC 5322 section 3.2.2), and what a stranger wrote in one may look like a result. */
function withoutComments(value: string): string {
  let depth = 0;
  let isQuoted = false;
  let text = '';
  for (let i = 0; i < value.length; i++) {
    const character = value[i]!;
    if (character === '\\' && (depth > 0 || isQuoted)) i++;
    else if (character === '"' && depth === 0) isQuoted = !isQuoted;
    else if (character === '(' && !isQuoted) depth++;
    else if (character === ')' && depth > 0) depth--;
    // What is quoted is a value of somebody's choice, and no result.
    else if (depth === 0 && !(isQuoted && /[;=]/.test(character))) text += character;
  }
  return text;
}

function isOwn(authservId: string | null, { authservIds, isUnnamed }: ResultsWriter): boolean {
  if (authservId === null) return isUnnamed;
  return authservIds.some((own) =>
    own.startsWith('*.') ? authservId.endsWith(own.slice(1)) : authservId === own.toLowerCase(),
  );
}

const STORED_HEADERS =
  /^(authentication-results|arc-authentication-results|x-spam(-.+)?|x-spamd-.+|x-rspamd-.+|x-forefront-antispam-report|x-microsoft-antispam|x-ms-exchange-organization-scl|x-ms-exchange-organization-pcl|x-sid-result|x-ymailisg|x-apple-.*spam.*|x-gmx-antispam|x-ui-filterresults|x-proofpoint-spam-details|x-zohomail-.*)$/;
const MAX_HEADERS = 10;
const MAX_EVIDENCE_CHARACTERS = 1_000;
/** What the cut leaves of a pair of surrogates, which PostgreSQL's JSON refuses. */
const HALF_CHARACTER = /[\uD800-\uDBFF]$/;

export interface EvidenceHeader {
  readonly name: string;
  readonly value: string;
}

/** Headers by which a provider tells what it thinks of a mail, kept as they came; trust nothing in them. */
export function evidenceOf(fields: readonly HeaderField[]): EvidenceHeader[] {
  return fields
    .filter(({ name }) => STORED_HEADERS.test(name))
    .slice(0, MAX_HEADERS)
    .map(({ name, value }) => ({ name, value: value.slice(0, MAX_EVIDENCE_CHARACTERS).replace(HALF_CHARACTER, '') }));
}
