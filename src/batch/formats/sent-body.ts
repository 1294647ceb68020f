import { MAX_COLUMNS } from '../../lib/address-column.js';
import { invalidField } from '../../platform/errors/app-error.js';
import { MAX_REUSE_DAYS } from '../../reuse/reuse.service.js';
import { MAX_RETRY_WINDOW_SECONDS } from '../model/retry-window.js';
import type { SentColumns } from '../model/row-ref.js';

/** What the rows of a body are. */
export type RowKind = 'addresses' | 'people';

/** The columns of a CSV that a caller may name in the query or in a form, each with what it holds. */
export const COLUMN_SETTINGS = {
  addresses: { email_column: 'addresses' },
  people: {
    full_name_column: 'full names',
    first_name_column: 'first names',
    last_name_column: 'last names',
    domain_column: 'domains',
  },
} as const satisfies Readonly<Record<RowKind, Readonly<Record<string, string>>>>;

export type ColumnSetting = { [Kind in RowKind]: keyof (typeof COLUMN_SETTINGS)[Kind] }[RowKind];

/** What divides the columns of a CSV, by the names that callers give it. */
export const DELIMITERS = { comma: ',', semicolon: ';', tab: '\t', bar: '|' } as const;
export type DelimiterName = keyof typeof DELIMITERS;
export const DELIMITER_NAMES = Object.keys(DELIMITERS) as DelimiterName[];

/** Characters read to find the delimiter: a longer line is no header. */
export const MAX_HEADER_CHARACTERS = 65_536;
/** Each row of the results repeats all names, so a short header must not become long results. */
const MAX_NAME_CHARACTERS = 8_192;

/**
 * The columns that a file's first record names.
 * @throws AppError `invalid_input` for more than results can name
 */
export function checkColumns(names: readonly string[]): readonly string[] {
  const characters = names.reduce((sum, name) => sum + name.length, 0);
  if (names.length > MAX_COLUMNS || characters > MAX_NAME_CHARACTERS)
    throw invalidField(
      'body',
      `may have at most ${MAX_COLUMNS} columns, whose names have at most ${MAX_NAME_CHARACTERS} characters together`,
    );
  return names;
}

/** The values of the named columns. A row that ends early stays short: values that were not sent take no room. */
export function extraColumnsOf(record: readonly string[], names: readonly string[]): readonly string[] {
  return record.slice(0, names.length);
}

/** The longest that any installation keeps batches. */
const MAX_RETENTION_DAYS = 3_650;

/** The bounds of a setting that is a whole number. */
export type WholeSetting = Readonly<Record<'minimum' | 'maximum', number>>;

/* Whole numbers among the settings of a batch: for the documents, and for the checks of bodies that no class checks. */

export const RETRY_WINDOW = {
  type: 'integer',
  minimum: 0,
  maximum: MAX_RETRY_WINDOW_SECONDS,
  nullable: true,
  description: 'So long after an answer that time may change it is tried again; 0: never.',
} as const;

export const RETENTION = {
  type: 'integer',
  minimum: 1,
  maximum: MAX_RETENTION_DAYS,
  nullable: true,
  description: 'How many days Mailsonde keeps the batch after it ends, at most as many as the plan allows.',
} as const;

export const REUSE = {
  type: 'integer',
  minimum: 0,
  maximum: MAX_REUSE_DAYS,
  default: 0,
  nullable: true,
  description: "The account's own verdicts of the addresses, at most so many days old, are given again for nothing.",
} as const;

/** One row of what was sent. */
export interface IntakeRow {
  /** An address, or a person as `finder/person` writes it. */
  readonly item: string;
  /** The values of a CSV's other columns. */
  readonly extraColumns: readonly string[] | null;
}

/** The settings of a batch, which the reader of a body fills in while it reads. */
export interface IntakeSettings {
  name: string | null;
  /** The batch is not begun before its owner orders it. */
  isHeld: boolean;
  webhookUrl: string | null;
  /** The most that the batch may cost; null: whatever it costs. */
  maxCredits: number | null;
  /** How old a verdict may be that a row is given again; 0: none is. */
  reuseDays: number;
  /** Within so many seconds answers that time may change are tried again; null: as the account or the installation says. */
  retryWindowSeconds: number | null;
  /** Days for which the batch is kept after its end; null: as the account or the plan says. */
  retentionDays: number | null;
  /** Columns of a CSV by the setting that names them, such as `email_column`: each its name, or its number from 1. */
  namedColumns: Readonly<Partial<Record<ColumnSetting, string>>>;
  /** Whether the first record of a CSV has names; null: what its rows tell. */
  hasHeader: boolean | null;
  /** What divides the columns of a CSV; null: what its first line tells. */
  delimiter: DelimiterName | null;
  /** The sheet of a workbook, by its name or its number from 1; null: the first one with what is wanted. */
  sheet: string | null;
  columns: SentColumns | null;
}

export type Bytes = AsyncIterable<Buffer>;

/** Some rows, in their order. */
export interface RowPiece extends Iterable<IntakeRow> {
  readonly length: number;
}

export type Rows = AsyncGenerator<RowPiece>;

/** Rows that a caller sends. */
export interface SentRows extends AsyncIterable<RowPiece> {
  /** Aborted when their rest will not come. */
  readonly gone?: AbortSignal;
}

/** The longest address, as for a single verification (docs/verification.md#asking-post-apiv1verify). */
export const MAX_CHARACTERS = 1_000;

export function checkLength(email: string, field: string): string {
  if (email.length > MAX_CHARACTERS) throw invalidField(field, `must be at most ${MAX_CHARACTERS} characters long`);
  return email;
}

/** @param value as it came */
export function checkDelimiter(value: string): DelimiterName {
  const name = DELIMITER_NAMES.find((one) => one === value);
  if (name === undefined) throw invalidField('delimiter', `must be one of ${DELIMITER_NAMES.join(', ')}`);
  return name;
}

/**
 * Whether a list is held must be known before its first row, so it stands in the query. Who says it in a body would otherwise be charged
 * without having seen the price.
 * @param value as it came; null and false: as if it had not been given
 */
export function refuseHold(value: unknown): void {
  if (value === null || value === undefined || value === false) return;
  throw invalidField('hold', 'stands in the query, also beside a body of JSON or a form: ?hold=true');
}

/** The number that a field of a form holds; any other text as it is, which is refused as such. */
export function numberIn(text: string): unknown {
  return /^\d{1,6}$/.test(text) ? Number(text) : text;
}
