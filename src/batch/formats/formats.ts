import { AppError, invalidField } from '../../platform/errors/app-error.js';
import { refuseBinary } from './binary.js';
import { readCsv, readTable } from './csv-reader.js';
import { readJson } from './json-reader.js';
import { readLines, readNdjson } from './line-reader.js';
import { readCsvOfPeople, readJsonOfPeople, readNdjsonOfPeople, readTableOfPeople } from './people-reader.js';
import { DELIMITERS, type IntakeSettings, type RowKind, type Rows } from './sent-body.js';
import { decodeText, utf8Pieces } from './text-decoder.js';
import { type SentWorkbook, XLSX, workbookRecords } from './workbook-reader.js';

/** A body, or the file of a form, unpacked. */
interface SentFile extends SentWorkbook {
  /** The charset that the body's `Content-Type` names. */
  readonly charset: string | null;
  /** Whether every member of JSON that nobody knows is refused, or slips alone. */
  readonly refusesUnknown: boolean;
}

type Reader = (file: SentFile, settings: IntakeSettings) => Rows;

/** A form of bodies, with a reader for each kind of rows that it may hold, or null. */
interface Format extends Readonly<Record<RowKind, Reader | null>> {
  readonly label: string;
  /** The one that the documents name, then others that programs say for it. */
  readonly mediaTypes: readonly [string, ...string[]];
  /** By which the file of a form is known; null: by its media type alone. */
  readonly extension: string | null;
  /** For the documents; null for JSON, of which each route has a schema. */
  readonly description: string | null;
  readonly isText: boolean;
}

const text = ({ bytes, charset }: SentFile) => decodeText(refuseBinary(bytes), charset);
/* JSON is UTF-8 (RFC 8259, section 8.1), whatever charset the header names. */
const json = ({ bytes }: SentFile) => utf8Pieces(refuseBinary(bytes));

/** Everything that a batch can be sent as. The routes, the reader of bodies and the documents follow this table. */
export const FORMATS: readonly Format[] = [
  {
    label: 'JSON',
    mediaTypes: ['application/json'],
    extension: null,
    description: null,
    isText: true,
    addresses: (file, settings) => readJson(json(file), settings, file.refusesUnknown),
    people: (file, settings) => readJsonOfPeople(json(file), settings, file.refusesUnknown),
  },
  {
    label: 'CSV',
    mediaTypes: ['text/csv', 'application/csv'],
    extension: '.csv',
    description: 'RFC 4180.',
    isText: true,
    addresses: (file, settings) => readCsv(text(file), settings),
    people: (file, settings) => readCsvOfPeople(text(file), settings),
  },
  {
    label: 'Excel',
    // The second is that of one with macros.
    mediaTypes: [XLSX, 'application/vnd.ms-excel.sheet.macroenabled.12'],
    extension: '.xlsx',
    description: 'A workbook (ECMA-376).',
    isText: false,
    addresses: (file, settings) =>
      readTable(workbookRecords(file, 'addresses', settings.sheet), DELIMITERS.comma, settings),
    people: (file, settings) => readTableOfPeople(workbookRecords(file, 'people', settings.sheet), settings),
  },
  {
    label: 'lines',
    mediaTypes: ['text/plain'],
    extension: '.txt',
    description: 'One address a line.',
    isText: true,
    addresses: (file) => readLines(text(file)),
    people: null,
  },
  {
    label: 'NDJSON',
    mediaTypes: ['application/x-ndjson', 'application/jsonl'],
    extension: '.ndjson',
    description: 'One JSON value a line.',
    isText: true,
    addresses: (file) => readNdjson(text(file)),
    people: (file, settings) => readNdjsonOfPeople(text(file), settings),
  },
];

/** The media types that a route with such rows takes, for the documents. */
export function mediaTypesOf(kind: RowKind): string[] {
  return [...formatsOf(kind).map(({ mediaTypes }) => mediaTypes[0]), 'multipart/form-data'];
}

export function formatsOf(kind: RowKind): readonly Format[] {
  return FORMATS.filter((format) => format[kind] !== null);
}

/**
 * The reader of such a body.
 * @param fileName in lower case; empty for a body that is no file of a form
 * @throws AppError `unsupported_media_type` when no format is called so
 */
export function readerOf(kind: RowKind, mediaType: string, fileName: string): Reader {
  const formats = formatsOf(kind);
  const byType = formats.find(({ mediaTypes }) => mediaTypes.includes(mediaType));
  const byName = formats.find(({ extension }) => extension !== null && fileName.endsWith(extension));
  // Programs call any text plain. Browsers call a CSV what the spreadsheet on that machine registered.
  const format = mediaType === 'text/plain' ? (byName ?? byType) : (byType ?? byName);
  const reader = format?.[kind];
  if (!reader) throw new AppError('unsupported_media_type');
  return (file, settings) => {
    checkSettings(format.isText, settings);
    return reader(file, settings);
  };
}

/** @throws AppError `invalid_input` for a setting of another kind of file, which would be left out in silence */
export function checkSettings(
  isText: boolean,
  { sheet, delimiter }: Pick<IntakeSettings, 'sheet' | 'delimiter'>,
): void {
  if (isText && sheet !== null) throw invalidField('sheet', 'is for Excel workbooks, and this is a text');
  if (!isText && delimiter !== null) throw invalidField('delimiter', 'is for a CSV, and this is an Excel workbook');
}
