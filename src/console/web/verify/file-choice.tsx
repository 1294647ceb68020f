import { type Signal, useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import { SelectField, TextAreaField } from '../parts/form.js';
import { Table } from '../parts/listing.js';
import { type Charset, CHARSETS, type Corrections, type Delimiter, DELIMITER_NAMES, type Preview } from './preview.js';

const ACCEPTED = '.csv,.tsv,.txt,text/csv,text/plain';

/** Three ways to the same: a file that is dropped, a file that is chosen, lines that are pasted. */
export function FileChoice({ onChoose }: { readonly onChoose: (file: File) => Promise<void> }) {
  const pasted = useSignal('');
  const isOver = useSignal(false);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const drop = (event: DragEvent) => {
    event.preventDefault();
    isOver.value = false;
    const file = event.dataTransfer?.files[0];
    if (file) void onChoose(file);
  };
  return (
    <div class="columns">
      <div
        class={isOver.value ? 'drop over' : 'drop'}
        role="group"
        aria-label="A file"
        onDragOver={(event) => {
          event.preventDefault();
          isOver.value = true;
        }}
        onDragLeave={() => (isOver.value = false)}
        onDrop={drop}
      >
        <p>Drop a CSV or text file here, or</p>
        <button type="button" class="primary" onClick={() => input.current?.click()}>
          Choose a file
        </button>
        <label class="visually-hidden" for={id}>
          File with addresses
        </label>
        <input
          ref={input}
          id={id}
          class="visually-hidden"
          type="file"
          tabindex={-1}
          accept={ACCEPTED}
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            if (file) void onChoose(file);
          }}
        />
        <p class="hint">CSV with a comma, semicolon, tab or bar; or one address a line. A spreadsheet saves as CSV.</p>
      </div>
      <div>
        <TextAreaField
          label="Or paste addresses"
          rows={6}
          value={pasted}
          placeholder={'jane@example.com\njohn@example.org'}
        />
        <button
          type="button"
          disabled={pasted.value.trim() === ''}
          onClick={() => void onChoose(new File([pasted.value], 'pasted.csv', { type: 'text/csv' }))}
        >
          Go on with these
        </button>
      </div>
    </div>
  );
}

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
        />
        <SelectField
          label="First line"
          value={{ value: preview.header === null ? 'row' : 'header' }}
          options={[
            ['header', 'Column names'],
            ['row', 'A row'],
          ]}
          onPick={(first) => onCorrect({ hasHeader: first === 'header' })}
        />
      </div>
      <Table<Line>
        label="First rows of the list"
        rows={preview.rows.map((row, i) => ({ row, i }))}
        keyOf={({ i }) => i}
        columns={{}}
        more={names.map((name, i) => [
          column.value === String(i + 1) ? `${name} ✉` : name,
          ({ row }) => (column.value === String(i + 1) ? <strong>{row[i]}</strong> : row[i]),
        ])}
      />
    </>
  );
}
