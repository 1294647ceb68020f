import { type Signal, useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import { SelectField, TextAreaField } from '../parts/form.js';
import { Table } from '../parts/listing.js';
import type { Account } from '../session/api.js';
import { TEST_WORDS, testAddress, TestWords } from '../session/test-words.js';

export type Preview = Account['schemas']['BatchPreviewReply'];

/** What a person has corrected of it, as the query has it; the charset stands in the content type. */
export type Corrections = Readonly<Partial<Record<'charset' | 'delimiter' | 'has_header' | 'sheet', string>>>;

/** For test keys: every kind of mailbox once. */
const SAMPLE = ['Kind,Email', ...TEST_WORDS.map((word) => `${word},${testAddress(word)}`)].join('\n');

const ACCEPTED = '.csv,.tsv,.txt,.xlsx,.xlsm,text/csv,text/plain';

/** Three ways to the same: files that are dropped, files that are chosen, lines that are pasted. */
export function FileChoice({ onChoose }: { readonly onChoose: (files: readonly File[]) => Promise<void> }) {
  const pasted = useSignal('');
  const isOver = useSignal(false);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const send = (text: string, name: string) => onChoose([new File([text], name, { type: 'text/csv' })]);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    isOver.value = false;
    void onChoose([...(event.dataTransfer?.files ?? [])]);
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
        <p>Drop Excel, CSV or text files here, or</p>
        <button type="button" class="primary" onClick={() => input.current?.click()}>
          Choose files
        </button>
        <label class="visually-hidden" for={id}>
          File with addresses
        </label>
        <input
          ref={input}
          id={id}
          class="visually-hidden"
          type="file"
          multiple
          tabindex={-1}
          accept={ACCEPTED}
          onChange={(event) => {
            void onChoose([...(event.currentTarget.files ?? [])]);
          }}
        />
        <p class="hint">Excel (.xlsx), CSV, or one address a line. Each file becomes a list.</p>
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
          onClick={() => void send(pasted.value, 'pasted.csv')}
        >
          Go on with these
        </button>
        <TestWords words={['Sample list']} onPick={() => void send(SAMPLE, 'sample.csv')} />
      </div>
    </div>
  );
}

const DELIMITERS = [
  ['comma', 'Comma ,'],
  ['semicolon', 'Semicolon ;'],
  ['tab', 'Tab'],
  ['bar', 'Bar |'],
] as const;
const CHARSETS = [
  ['utf-8', 'UTF-8'],
  ['windows-1252', 'Windows (Western Europe)'],
  ['utf-16le', 'UTF-16'],
  ['utf-16be', 'UTF-16, big end first'],
] as const;

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
  const { columns, charset, delimiter, sheets, sheet, has_header: hasHeader, rows } = preview;
  return (
    <>
      <div class="row">
        {sheets !== null && sheets.length > 1 && (
          <SelectField
            label="Sheet"
            value={{ value: sheet ?? '' }}
            options={[
              ...(sheet === null ? [['', 'Choose one'] as const] : []),
              ...sheets.map(({ name, is_hidden }) => [name, is_hidden ? `${name} (hidden)` : name] as const),
            ]}
            onPick={(picked) => onCorrect({ sheet: picked })}
          />
        )}
        <SelectField
          label="Column with the addresses"
          value={column}
          options={[
            ...(column.value === '' ? [['', 'Choose one'] as const] : []),
            ...columns.map((name, i) => [String(i + 1), name] as const),
          ]}
        />
        {charset !== null && (
          <SelectField
            label="Encoding"
            value={{ value: charset }}
            options={CHARSETS}
            onPick={(picked) => onCorrect({ charset: picked })}
            hint="Are umlauts and accents right below? If not, choose another."
          />
        )}
        {delimiter !== null && (
          <SelectField
            label="Columns are divided by"
            value={{ value: delimiter }}
            options={DELIMITERS}
            onPick={(picked) => onCorrect({ delimiter: picked })}
          />
        )}
        <SelectField
          label="First line"
          value={{ value: String(hasHeader) }}
          options={[
            ['true', 'Column names'],
            ['false', 'A row'],
          ]}
          onPick={(picked) => onCorrect({ has_header: picked })}
        />
      </div>
      <Table<Line>
        label="First rows of the list"
        rows={rows.map((row, i) => ({ row, i }))}
        keyOf={({ i }) => i}
        columns={{}}
        more={columns.map((name, i) => [
          column.value === String(i + 1) ? `${name} ✉` : name,
          ({ row }) => (column.value === String(i + 1) ? <strong>{row[i]}</strong> : row[i]),
        ])}
      />
    </>
  );
}
