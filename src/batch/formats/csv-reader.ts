import {
  checkColumns,
  checkLength,
  extraColumnsOf,
  type IntakeRow,
  type IntakeSettings,
  type Rows,
} from './sent-body.js';
import { addressColumn, csvRecords, delimited, numberedNames, type Pages } from './csv-records.js';

/** The name of the column of addresses in a file that names none. */
const NAMELESS = 'email';

interface Layout {
  readonly column: number;
  readonly name: string;
  readonly others: readonly string[] | null;
  /** The number of the record before the first row. */
  readonly rowsFrom: number;
}

export async function* readCsv(text: AsyncIterable<string>, settings: IntakeSettings): Rows {
  const divided = await delimited(text, settings.delimiter);
  yield* readTable(csvRecords(divided), divided.delimiter, settings);
}

/**
 * Finds the column of addresses by what its first hundred rows hold, and by its name.
 * @param delimiter with which the results of a CSV are written
 */
export async function* readTable(pages: Pages, delimiter: string, settings: IntakeSettings): Rows {
  let layout: Layout | null = null;
  let number = 0;
  for await (const records of pages) {
    const rows: IntakeRow[] = [];
    for (const record of records) {
      number += 1;
      if (layout === null) {
        layout = layoutOf(records, settings);
        settings.columns = {
          names: layout.others ?? [],
          layout: { delimiter, column: layout.column, name: layout.name },
        };
      }
      if (number > layout.rowsFrom) rows.push(rowOf(record, layout, number));
    }
    if (rows.length > 0) yield rows;
  }
}

function rowOf(record: readonly string[], { column, others }: Layout, number: number): IntakeRow {
  const email = checkLength(record[column] ?? '', `record ${number}`);
  if (others === null) return { item: email, extraColumns: null };
  return {
    item: email,
    extraColumns: extraColumnsOf(
      record.filter((_, i) => i !== column),
      others,
    ),
  };
}

function layoutOf(sample: readonly (readonly string[])[], { namedColumns, hasHeader: known }: IntakeSettings): Layout {
  const { column, hasHeader, notes } = addressColumn(sample, namedColumns.email_column ?? null, known);
  const first = sample[notes] ?? [];
  const rowsFrom = notes + (hasHeader ? 1 : 0);
  const name = hasHeader && first[column]!.trim() !== '' ? first[column]! : NAMELESS;
  if (first.length === 1) return { column, name, others: null, rowsFrom };
  const all = checkColumns(numberedNames(hasHeader ? first : first.map(() => '')));
  const others = all.filter((_, i) => i !== column);
  // If another column has the name of the address column, it is the other one that is renamed: nobody may take its value for the verified address.
  return { column, name, others: others.map((one) => (one === name ? `${one}_2` : one)), rowsFrom };
}
