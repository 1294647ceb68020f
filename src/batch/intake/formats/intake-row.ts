import { MAX_REUSE_DAYS } from '../../../reuse/reuse.service.js';
import { invalidField } from '../../../platform/errors/app-error.js';
import type { SentColumns } from '../../model/sent-columns.js';
import type { ColumnSetting } from './columns.js';

/** One row of what was sent. */
export interface IntakeRow {
  /** An address, or a person as `finder/person-row` writes it. */
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
  /** Columns of a CSV by the setting that names them, such as `email_column`: each its name, or its number from 1. */
  namedColumns: Readonly<Partial<Record<ColumnSetting, string>>>;
  columns: SentColumns | null;
}

export type Bytes = AsyncIterable<Buffer>;

/** Some rows, in their order. */
export interface RowPiece extends Iterable<IntakeRow> {
  readonly length: number;
}

export type Rows = AsyncGenerator<RowPiece>;

/** The longest address, as for a single verification (docs/verification.md#asking-post-apiv1verify). */
export const MAX_CHARACTERS = 1_000;

export function checkLength(email: string, field: string): string {
  if (email.length > MAX_CHARACTERS) throw invalidField(field, `must be at most ${MAX_CHARACTERS} characters long`);
  return email;
}

/** @param value as it came; null: as if it had not been given */
export function checkReuseDays(value: unknown): number {
  if (value === null) return 0;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_REUSE_DAYS) return value;
  throw invalidField('reuse_days', `must be a whole number from 0 to ${MAX_REUSE_DAYS}`);
}
