import { CsvError, parse } from 'csv-parse/sync';
import { AppError } from '../../platform/errors/app-error.js';
import { writePersonRow } from '../../finder/person-row.js';
import { mediaType, openFile, type SentBody, takeSetting, unpacked } from './body.js';
import { cellsOf, checkColumns } from './columns.js';
import { type Bytes, type IntakeRow, type IntakeSettings, invalid, type Rows } from './intake-row.js';
import { decodeText, utf8Pieces } from './text-decoder.js';

/** 10,000 people with 800 bytes of other columns each. */
const MOST_BYTES = 8_388_608;
export const MOST_PEOPLE = 10_000;

type Field = 'full_name' | 'first_name' | 'last_name' | 'domain';
type Record4 = Readonly<Record<Field, string>>;

/** Which column holds what: by its name, or its number from 1; null is found out. */
export type PeopleColumns = Readonly<Record<Field, string | null>>;

const FIELDS: readonly Field[] = ['full_name', 'first_name', 'last_name', 'domain'];
const HEADERS: Readonly<Record<Field, RegExp>> = {
  full_name: /^(full[ _.-]?name|name|person|contact)$/i,
  first_name: /^(first|given|fore)[ _.-]?names?$|^first$/i,
  last_name: /^(last|family|sur)[ _.-]?names?$|^last$/i,
  domain: /^(domain|web[ _.-]?site|url|company[ _.-]?(domain|url|website))$/i,
};

/** The people of a body: JSON `{"people": […]}`, NDJSON, CSV, or a form with a file of these. At most 8 MiB, so it is read whole. */
export async function* readPeople(body: SentBody, columns: PeopleColumns, settings: IntakeSettings): Rows {
  const file = await openPeople(body, columns, settings);
  const text = await textOf(file);
  const rows = readFile(text, file, settings);
  if (rows.length === 0) throw invalid('people', 'must not be empty');
  yield rows;
}

interface PeopleFile {
  readonly bytes: Bytes;
  readonly type: string;
  readonly charset: string | null;
  readonly columns: PeopleColumns;
}

async function openPeople(body: SentBody, columns: PeopleColumns, settings: IntakeSettings): Promise<PeopleFile> {
  const bytes = unpacked(body);
  const { type, charset } = mediaType(body.contentType);
  if (type !== 'multipart/form-data') return { bytes, type, charset, columns };
  const named: Record<Field, string | null> = { ...columns };
  const file = await openFile(bytes, body.contentType, (name, value) => {
    takeSetting(settings, name, value);
    for (const field of FIELDS) if (name === `${field}_column`) named[field] = value;
  });
  // Browsers call a CSV what the spreadsheet on that machine registered.
  const isCsv = file.name.endsWith('.csv');
  const sent = mediaType(file.contentType);
  return { bytes: file.bytes, ...sent, ...(isCsv && { type: 'text/csv' }), columns: named };
}

function readFile(text: string, { type, columns }: PeopleFile, settings: IntakeSettings): IntakeRow[] {
  if (type === 'application/json') return readJsonPeople(text, settings);
  if (type === 'application/x-ndjson' || type === 'application/jsonl') return readLines(text, settings);
  if (type === 'text/csv' || type === 'application/csv') return readCsvPeople(text, columns, settings);
  throw new AppError('unsupported_media_type');
}

async function textOf({ bytes, type, charset }: PeopleFile): Promise<string> {
  const pieces = limited(bytes);
  let text = '';
  // JSON is UTF-8 whatever is said of it.
  if (type === 'application/json') for await (const piece of utf8Pieces(pieces)) text += piece.toString();
  else for await (const piece of decodeText(pieces, charset)) text += piece;
  return text;
}

async function* limited(bytes: Bytes): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const piece of bytes) {
    length += piece.length;
    if (length > MOST_BYTES) throw new AppError('body_too_large');
    yield piece;
  }
}

function readJsonPeople(text: string, settings: IntakeSettings): IntakeRow[] {
  const value = parsed(text);
  if (!isObject(value)) throw invalid('body', 'must be a JSON object');
  settings.name = textOrNull('name', value['name']);
  settings.webhookUrl = textOrNull('webhook_url', value['webhook_url']);
  if (!Array.isArray(value['people'])) throw invalid('people', 'must be an array');
  return rowsOf(value['people'], settings, (i) => `people[${i}]`);
}

function readLines(text: string, settings: IntakeSettings): IntakeRow[] {
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  return rowsOf(lines.map(parsed), settings, (i) => `line ${i + 1}`);
}

function rowsOf(people: readonly unknown[], settings: IntakeSettings, nameOf: (i: number) => string): IntakeRow[] {
  settings.columns = FIELDS;
  return people.map((person, i): IntakeRow => {
    const where = nameOf(i);
    if (!isObject(person)) throw invalid(where, 'must be an object with a name and a domain');
    const told = Object.fromEntries(
      FIELDS.map((field) => [field, textOrNull(`${where}.${field}`, person[field]) ?? '']),
    );
    return { email: rowOf(told as Record4, where), cells: FIELDS.map((field) => told[field]!) };
  });
}

function readCsvPeople(text: string, columns: PeopleColumns, settings: IntakeSettings): IntakeRow[] {
  const records = csvRecords(text);
  const [header, ...rest] = records;
  if (header === undefined) return [];
  const names = header.map((name) => name.trim());
  const places = Object.fromEntries(FIELDS.map((field) => [field, placeOf(names, field, columns[field])]));
  if (places['domain']! < 0)
    throw invalid('domain_column', 'must say which column holds the domains: no header tells it');
  if (places['full_name']! < 0 && (places['first_name']! < 0 || places['last_name']! < 0))
    throw invalid('full_name_column', 'must say which column holds the names: no header tells it');
  settings.columns = checkColumns(names.map((name, i) => name || `column_${i + 1}`));
  return rest.map((record, i): IntakeRow => {
    const cells = cellsOf(record, names);
    const told = Object.fromEntries(FIELDS.map((field) => [field, cells[places[field]!] ?? '']));
    return { email: rowOf(told as Record4, `record ${i + 2}`), cells };
  });
}

function csvRecords(text: string): string[][] {
  const first = text.split(/[\r\n]/, 1)[0]!.replace(/"[^"]*"/g, '');
  const counts = [',', ';', '\t', '|'].map((delimiter) => ({ delimiter, count: first.split(delimiter).length }));
  const { delimiter } = counts.reduce((best, one) => (one.count > best.count ? one : best));
  try {
    return parse(text, { delimiter, relax_column_count: true, relax_quotes: true, skip_empty_lines: true });
  } catch (error) {
    throw error instanceof CsvError ? invalid('body', `is no CSV: ${error.message}`) : error;
  }
}

function placeOf(names: readonly string[], field: Field, wanted: string | null): number {
  if (wanted === null) return names.findIndex((name) => HEADERS[field].test(name));
  const found = names.findIndex((name) => name.toLowerCase() === wanted.trim().toLowerCase());
  const number = /^\d{1,4}$/.test(wanted) ? Number(wanted) : 0;
  if (found < 0 && (number < 1 || number > names.length))
    throw invalid(`${field}_column`, 'names no column of the header');
  return found >= 0 ? found : number - 1;
}

/** What is no name and no domain is answered in its row; a person without either is a mistake of the list. */
function rowOf({ full_name, first_name, last_name, domain }: Record4, where: string): string {
  if (domain.trim() === '') throw invalid(where, 'has no domain');
  const isSplit = first_name.trim() !== '' && last_name.trim() !== '';
  const full = full_name.trim() === '' ? `${first_name} ${last_name}`.trim() : full_name.trim();
  if (full === '') throw invalid(where, 'has no name');
  const name = isSplit ? { first: first_name.trim(), last: last_name.trim() } : { full };
  const row = writePersonRow(name, domain);
  if (row === null) throw invalid(where, 'is too long');
  return row;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('malformed_json', { cause: cause as Error });
  }
}

function textOrNull(field: string, value: unknown): string | null {
  if (value == null) return null;
  if (typeof value !== 'string') throw invalid(field, 'must be a string');
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
