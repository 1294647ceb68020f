import {
  checkColumns,
  checkLength,
  extraColumnsOf,
  type IntakeRow,
  type IntakeSettings,
  type Rows,
} from './intake-row.js';
import { addressColumn, csvRecords, delimited, isAddressHeader, namedColumn, numberedNames } from './csv-records.js';

/** The name of the column of addresses in a file that names none. */
const NAMELESS = 'email';

interface Layout {
  readonly column: number;
  readonly name: string;
  readonly others: readonly string[] | null;
  readonly hasHeader: boolean;
}

/** Finds the column of addresses by its name or by an `@`. */
export async function* readCsv(text: AsyncIterable<string>, settings: IntakeSettings): Rows {
  let layout: Layout | null = null;
  let number = 0;
  const divided = await delimited(text, settings.delimiter);
  for await (const records of csvRecords(divided)) {
    const rows: IntakeRow[] = [];
    for (const record of records) {
      number += 1;
      if (layout === null) {
        layout = layoutOf(record, settings.namedColumns.email_column ?? null);
        settings.columns = {
          names: layout.others ?? [],
          layout: { delimiter: divided.delimiter, column: layout.column, name: layout.name },
        };
        if (layout.hasHeader) continue;
      }
      rows.push(rowOf(record, layout, number));
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

function layoutOf(first: readonly string[], wanted: string | null): Layout {
  const names = first.map((name) => name.trim());
  const nameless = names.map(() => '');
  const hasHeader = !names.some((name) => name.includes('@'));
  const column =
    wanted === null
      ? addressColumn(names, hasHeader)
      : namedColumn(hasHeader ? names : nameless, wanted, 'email_column');
  const isHeader = hasHeader && (names.length > 1 || wanted !== null || isAddressHeader(names[0]!));
  const name = isHeader && names[column] !== '' ? first[column]! : NAMELESS;
  if (names.length === 1) return { column, name, others: null, hasHeader: isHeader };
  const all = checkColumns(numberedNames(isHeader ? first : nameless));
  const others = all.filter((_, i) => i !== column);
  // If another column has the name of the address column, it is the other one that is renamed: nobody may take its value for the verified address.
  return { column, name, others: others.map((one) => (one === name ? `${one}_2` : one)), hasHeader: isHeader };
}
