import { AppError } from '../../platform/errors/app-error.js';

/** One row of what was sent. */
export interface IntakeRow {
  readonly email: string;
  /** A CSV's other columns. */
  readonly cells: readonly string[] | null;
}

/** What a body says beside its addresses; filled in while it is read. */
export interface IntakeSettings {
  name: string | null;
  webhookUrl: string | null;
  /** The column of a CSV that holds the addresses: its name, or its number from 1. */
  emailColumn: string | null;
  /** Names of a CSV's other columns. */
  columns: readonly string[] | null;
}

export type Bytes = AsyncIterable<Buffer>;
/** Some rows, in their order. */
export interface RowPiece extends Iterable<IntakeRow> {
  readonly length: number;
}

export type Rows = AsyncGenerator<RowPiece>;

/** As for a single verification (contract section 3). */
export const MOST_CHARACTERS = 1_000;

export function invalid(field: string, error: string): AppError {
  return new AppError('invalid_input', { fields: [{ field, error: `${field} ${error}` }] });
}

export function checkLength(email: string, field: string): string {
  if (email.length > MOST_CHARACTERS) throw invalid(field, `must be at most ${MOST_CHARACTERS} characters long`);
  return email;
}
