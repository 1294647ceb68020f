import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { announce } from './announcer.js';
import { FailedScreen, FailureNote } from './failure.js';
import { type Loaded, useLoad } from './load.js';

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers stand at the right. */
  readonly isNumber?: boolean;
}

interface TableProps<Row> {
  /** What the table shows, for those who do not see it. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** What is shown in place of a table without rows. */
  readonly empty?: ComponentChildren;
}

export function Table<Row>({ label, columns, rows, keyOf, empty }: TableProps<Row>) {
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>;
  return (
    <div class="scroll" tabindex={0} role="region" aria-label={label}>
      <table>
        <caption class="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map(({ name, isNumber }) => (
              <th key={name} scope="col" class={isNumber ? 'number' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, cell, isNumber }) => (
                <td key={name} class={isNumber ? 'number' : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface Page {
  readonly next_cursor: string | null;
}

interface PagedTableProps<Row, Loaded extends Page> extends Omit<TableProps<Row>, 'rows'> {
  readonly load: (cursor: string | undefined, signal: AbortSignal) => Promise<Loaded>;
  readonly rows: (page: Loaded) => readonly Row[];
  /** The first page is asked for anew when one of these changes. */
  readonly on?: readonly unknown[];
}

/** A listing by cursors: pages lie behind one another, and nobody counts them. */
export function PagedTable<Row, Loaded extends Page>({
  load,
  rows: rowsOf,
  on = [],
  empty,
  ...table
}: PagedTableProps<Row, Loaded>) {
  // The cursors of the pages up to this one; the first has none.
  const trail = useSignal<readonly (string | undefined)[]>([undefined]);
  const filters = JSON.stringify(on);
  useEffect(() => {
    trail.value = [undefined];
  }, [filters]);
  const cursor = trail.value.at(-1);
  const { data, failure, isLoading, reload } = useLoad((signal) => load(cursor, signal), [cursor, filters]);
  const page = data.value;
  const turn = (cursors: readonly (string | undefined)[]) => {
    trail.value = cursors;
    announce(`Page ${cursors.length}`);
  };
  if (failure.value !== null)
    return (
      <>
        <FailureNote failure={failure.value} />
        <p>
          <button type="button" disabled={isLoading.value} onClick={() => void reload()}>
            Try again
          </button>
        </p>
      </>
    );
  if (page === null) return <Waiting />;
  const isFirst = trail.value.length === 1;
  const rows = rowsOf(page);
  return (
    <>
      <Table {...table} rows={rows} empty={isFirst ? empty : undefined} />
      {(!isFirst || page.next_cursor !== null) && (
        <nav class="pages" aria-label={`Pages: ${table.label}`}>
          <button type="button" disabled={isFirst || isLoading.value} onClick={() => turn(trail.value.slice(0, -1))}>
            Newer
          </button>
          <button
            type="button"
            disabled={page.next_cursor === null || isLoading.value}
            onClick={() => turn([...trail.value, page.next_cursor ?? undefined])}
          >
            Older
          </button>
        </nav>
      )}
    </>
  );
}

/** Nothing yet: said after a moment only, so that what comes at once does not flicker. */
export function Waiting() {
  return <p class="waiting hint">Loading …</p>;
}

/** A part of a screen about something, which it may change. */
export interface Part<T> {
  readonly of: T;
  readonly onChanged: () => Promise<void>;
}

interface ReloadTitleProps {
  readonly title: string;
  readonly of: Pick<Loaded<unknown>, 'isLoading' | 'reload'>;
}

/** The heading of a screen that shows a state of now, and the button that loads it again. */
export function ReloadTitle({ title, of: { isLoading, reload } }: ReloadTitleProps) {
  return (
    <div class="title-line">
      <h1>{title}</h1>
      <button type="button" disabled={isLoading.value} onClick={() => void reload()}>
        Look again
      </button>
    </div>
  );
}

interface WhenLoadedProps<T> {
  readonly of: Pick<Loaded<T>, 'data' | 'failure'>;
  readonly children: (data: T) => ComponentChildren;
}

/** What was loaded, under the failure of the last try. */
export function WhenLoaded<T>({ of: { data, failure }, children }: WhenLoadedProps<T>) {
  return (
    <>
      <FailureNote failure={failure.value} />
      {data.value === null ? failure.value === null && <Waiting /> : children(data.value)}
    </>
  );
}

interface UnloadedProps {
  readonly of: Pick<Loaded<unknown>, 'failure' | 'reload'>;
  /** What the screen would have shown, such as `Monitor`. */
  readonly title: string;
  /** Where the others are. */
  readonly to: string;
  /** Such as `All monitors`. */
  readonly toTitle: string;
}

/** A screen of one thing for as long as it is not there: it comes, or it could not be loaded. */
export function Unloaded({ of: { failure, reload }, ...others }: UnloadedProps) {
  if (failure.value === null) return <Waiting />;
  return <FailedScreen {...others} failure={failure.value} onRetry={reload} />;
}

/** Nothing there, and what to do about it. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children}
    </div>
  );
}
