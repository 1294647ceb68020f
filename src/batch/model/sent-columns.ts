/** How a CSV of addresses was laid out, so that its results come back in the same layout. */
export interface CsvLayout {
  readonly delimiter: string;
  /** Position of the column of addresses, from 0, and its name. */
  readonly column: number;
  readonly name: string;
}

/** The columns that came with a batch beside the item of each row. Stored as JSON. */
export interface SentColumns {
  /** In their order; none when a CSV had the addresses alone. */
  readonly names: readonly string[];
  /** Null when the batch was no CSV of addresses. */
  readonly layout: CsvLayout | null;
  /** A CSV of people was sent, of which no layout is kept. */
  readonly isCsv?: true;
}

export function cameAsCsv(sent: SentColumns | null): boolean {
  return sent !== null && (sent.layout !== null || sent.isCsv === true);
}
