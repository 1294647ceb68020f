import { AppError, invalidField } from '../../platform/errors/app-error.js';
import { checkMembers, type KnownMembers } from '../../platform/http/known-members.js';
import { writePersonRow } from '../../finder/person.js';
import { settingsIn, takeSetting } from './body-settings.js';
import {
  checkColumns,
  extraColumnsOf,
  type Bytes,
  type IntakeRow,
  type IntakeSettings,
  type Rows,
} from './sent-body.js';
import { csvRecords, delimited, namedColumn, numberedNames, type Pages } from './csv-records.js';
import { lines, parseLine } from './line-reader.js';

type Field = 'full_name' | 'first_name' | 'last_name' | 'domain';
type PersonRecord = Readonly<Record<Field, string>>;

interface Layout {
  readonly names: readonly string[];
  /** Below 0 for a field that no column holds. */
  readonly columnOf: Readonly<Record<Field, number>>;
}

const FIELDS: readonly Field[] = ['full_name', 'first_name', 'last_name', 'domain'];
const SENT_FIELDS = { names: FIELDS, layout: null } as const;
const HEADERS: Readonly<Record<Field, RegExp>> = {
  full_name: /^(full[ _.-]?name|name|person|contact)$/i,
  first_name: /^(first|given|fore)[ _.-]?names?$|^first$/i,
  last_name: /^(last|family|sur)[ _.-]?names?$|^last$/i,
  domain: /^(domain|web[ _.-]?site|url|company[ _.-]?(domain|url|website))$/i,
};

const PERSON: KnownMembers = new Map(FIELDS.map((field) => [field, null]));
const SETTINGS = settingsIn('people');
const MEMBERS: KnownMembers = new Map([...SETTINGS, ['people', PERSON]]);

/** Rows of one piece: whoever counts them stops the reader after each. */
const PEOPLE_PAGE_SIZE = 100;

/**
 * Objects and lists of a body of JSON, and its commas: ten times what 10,000 people need. To parse millions takes seconds, in which nobody else
 * is served.
 */
const MAX_OBJECTS = 100_000;
const MAX_COMMAS = 300_000;

/** Counts what makes JSON slow to parse, while it comes. */
class JsonSize {
  private objects = 0;
  private commas = 0;
  private isText = false;
  private isEscaped = false;

  /** @throws AppError `invalid_input` when it is too much */
  add(piece: Buffer): void {
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at]!;
      if (this.isEscaped) this.isEscaped = false;
      else if (byte === QUOTE) this.isText = !this.isText;
      else if (this.isText) this.isEscaped = byte === BACKSLASH;
      else if (byte === COMMA) this.commas += 1;
      else if (byte === LEFT_BRACE || byte === LEFT_BRACKET) this.objects += 1;
    }
    if (this.objects > MAX_OBJECTS || this.commas > MAX_COMMAS)
      throw invalidField('people', 'has far more members than 10,000 people need');
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const LEFT_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const LEFT_BRACE = 0x7b;

/** Reads `{"people": […]}` with the settings beside it. A body of people is small (`body.ts` sees to it), so it is parsed whole. */
export async function* readJsonOfPeople(body: Bytes, settings: IntakeSettings, refusesUnknown: boolean): Rows {
  let text = '';
  const size = new JsonSize();
  for await (const piece of body) {
    size.add(piece);
    text += piece.toString();
  }
  const value = parsed(text);
  if (!isObject(value)) throw invalidField('body', 'must be a JSON object');
  checkMembers(value, MEMBERS, refusesUnknown);
  for (const name of SETTINGS.keys())
    if (Object.hasOwn(value, name)) takeSetting(settings, 'people', name, value[name]);
  const people: unknown = value['people'];
  if (!Array.isArray(people)) throw invalidField('people', 'must be an array');
  settings.columns = SENT_FIELDS;
  for (let at = 0; at < people.length; at += PEOPLE_PAGE_SIZE)
    yield people.slice(at, at + PEOPLE_PAGE_SIZE).map((person, i) => rowOf(person, `people[${at + i}]`));
}

/** One JSON object a line, which may have further members as a CSV has further columns. */
export async function* readNdjsonOfPeople(text: AsyncIterable<string>, settings: IntakeSettings): Rows {
  settings.columns = SENT_FIELDS;
  for await (const found of lines(text))
    yield found.map(({ line, number }) => {
      const person = parseLine(line, number);
      if (isObject(person)) checkMembers(person, PERSON, false, `line ${number}`);
      return rowOf(person, `line ${number}`);
    });
}

export async function* readCsvOfPeople(text: AsyncIterable<string>, settings: IntakeSettings): Rows {
  yield* readTableOfPeople(csvRecords(await delimited(text, settings.delimiter)), settings);
}

export async function* readTableOfPeople(pages: Pages, settings: IntakeSettings): Rows {
  let layout: Layout | null = null;
  let number = 0;
  for await (const records of pages) {
    const rows: IntakeRow[] = [];
    for (const record of records) {
      number += 1;
      if (layout !== null) rows.push(rowOfRecord(record, layout, number));
      else {
        layout = layoutOf(record, settings);
        settings.columns = { names: layout.names, layout: null, isCsv: true };
      }
    }
    if (rows.length > 0) yield rows;
  }
}

function rowOf(person: unknown, where: string): IntakeRow {
  if (!isObject(person)) throw invalidField(where, 'must be an object with a name and a domain');
  const record = Object.fromEntries(
    FIELDS.map((field) => [field, textOrNull(`${where}.${field}`, person[field]) ?? '']),
  );
  return { item: itemOf(record as PersonRecord, where), extraColumns: FIELDS.map((field) => record[field]!) };
}

function rowOfRecord(record: readonly string[], { names, columnOf }: Layout, number: number): IntakeRow {
  const values = extraColumnsOf(record, names);
  const person = Object.fromEntries(FIELDS.map((field) => [field, values[columnOf[field]] ?? '']));
  return { item: itemOf(person as PersonRecord, `record ${number}`), extraColumns: values };
}

function layoutOf(header: readonly string[], settings: IntakeSettings): Layout {
  const given = header.map((name) => name.trim());
  const columnOf = Object.fromEntries(FIELDS.map((field) => [field, findColumn(given, field, settings)])) as Record<
    Field,
    number
  >;
  if (columnOf.domain < 0)
    throw invalidField('domain_column', 'must say which column holds the domains: no header tells it');
  if (columnOf.full_name < 0 && (columnOf.first_name < 0 || columnOf.last_name < 0))
    throw invalidField('full_name_column', 'must say which column holds the names: no header tells it');
  return { names: checkColumns(numberedNames(header)), columnOf };
}

function findColumn(names: readonly string[], field: Field, { namedColumns }: IntakeSettings): number {
  const setting = `${field}_column` as const;
  const wanted = namedColumns[setting];
  return wanted === undefined
    ? names.findIndex((name) => HEADERS[field].test(name))
    : namedColumn(names, wanted, setting);
}

/** A person without a name or a domain is a mistake of the list; what is no real name or domain gets a result in its row. */
function itemOf({ full_name, first_name, last_name, domain }: PersonRecord, where: string): string {
  if (domain.trim() === '') throw invalidField(where, 'has no domain');
  const isSplit = first_name.trim() !== '' && last_name.trim() !== '';
  const full = full_name.trim() === '' ? `${first_name} ${last_name}`.trim() : full_name.trim();
  if (full === '') throw invalidField(where, 'has no name');
  const name = isSplit ? { first: first_name.trim(), last: last_name.trim() } : { full };
  const row = writePersonRow(name, domain);
  if (row === null) throw invalidField(where, 'is too long');
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
  if (typeof value !== 'string') throw invalidField(field, 'must be a string');
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
