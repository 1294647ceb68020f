import type { Signal } from '@preact/signals';
import { SelectField } from '../../parts/field.js';
import { Table } from '../../parts/paged-table.js';
import { type Charset, CHARSETS, type Corrections, type Delimiter, DELIMITER_NAMES, type Preview } from './preview.js';

const DELIMITERS: Readonly<Record<Delimiter, string>> = {
  comma: 'Comma ,',
  semicolon: 'Semicolon ;',
  tab: 'Tab',
  bar: 'Bar |',
};
const CHARSET_NAMES: Readonly<Record<Charset, string>> = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows (Western Europe)',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16, big end first',
};

interface Line {
  readonly row: readonly string[];
  readonly i: number;
}

interface PreviewTableProps {
  readonly preview: Preview;
  /** The number of the column of addresses, from 1; empty: none. */
  readonly column: Signal<string>;
  readonly onCorrect: (corrections: Corrections) => void;
}

/** The first rows as the service will read them, and what a person may correct. */
export function PreviewTable({ preview, column, onCorrect }: PreviewTableProps) {
  const width = Math.max(preview.header?.length ?? 0, ...preview.rows.map((row) => row.length));
  const names = Array.from({ length: width }, (_, i) => preview.header?.[i]?.trim() || `Column ${i + 1}`);
  return (
    <>
      <div class="row">
        <SelectField
          label="Column with the addresses"
          value={column}
          options={[
            ...(column.value === '' ? [['', 'Choose one'] as const] : []),
            ...names.map((name, i) => [String(i + 1), name] as const),
          ]}
        />
        <SelectField
          label="Encoding"
          value={{ value: preview.charset }}
          options={CHARSETS.map((value) => [value, CHARSET_NAMES[value]] as const)}
          onPick={(charset) => onCorrect({ charset })}
          hint="Are umlauts and accents right below? If not, choose another."
        />
        <SelectField
          label="Columns are divided by"
          value={{ value: preview.delimiter }}
          options={DELIMITER_NAMES.map((value) => [value, DELIMITERS[value]] as const)}
          onPick={(delimiter) => onCorrect({ delimiter })}
          hint={
            preview.header === null ? 'There is no header: the first line is a row.' : 'The first line is the header.'
          }
        />
      </div>
      <Table<Line>
        label="First rows of the list"
        rows={preview.rows.map((row, i) => ({ row, i }))}
        keyOf={({ i }) => i}
        columns={names.map((name, i) => ({
          name: column.value === String(i + 1) ? `${name} ✉` : name,
          cell: ({ row }) => (column.value === String(i + 1) ? <strong>{row[i]}</strong> : row[i]),
        }))}
      />
    </>
  );
}
