import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { announce } from './announcer.js';
import { count } from './values.js';
import { asFailure, FailedScreen, type Failure, FailureNote } from './failure.js';

export interface Loaded<T> {
  readonly data: Signal<T | null>;
  readonly failure: Signal<Failure | null>;
  readonly isLoading: Signal<boolean>;
  readonly reload: () => Promise<void>;
}

/** Loads when the screen appears and when something in `on` changes; the answer to an older question is dropped. */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, on: readonly unknown[] = []): Loaded<T> {
  const data = useSignal<T | null>(null);
  const failure = useSignal<Failure | null>(null);
  const isLoading = useSignal(true);
  const running = useRef<AbortController | null>(null);
  const ended = useRef<Promise<void>>(Promise.resolve());
  const latest = useRef(load);
  latest.current = load;
  const run = async (own: AbortController) => {
    isLoading.value = true;
    try {
      const loaded = await latest.current(own.signal);
      if (!own.signal.aborted) {
        data.value = loaded;
        failure.value = null;
      }
    } catch (error) {
      if (!own.signal.aborted) failure.value = asFailure(error);
    }
    if (!own.signal.aborted) isLoading.value = false;
    // Whoever waits for a question that a newer one has replaced waits for that: a dialog would else close on what was before.
    else if (own !== running.current) await ended.current;
  };
  const reload = useCallback(() => {
    running.current?.abort();
    const own = (running.current = new AbortController());
    return (ended.current = run(own));
  }, []);
  useEffect(() => {
    void reload();
    return () => running.current?.abort();
  }, on);
  return { data, failure, isLoading, reload };
}

/** Asks again after a while as long as somebody looks, and at once when they come back. @param everyMs null: nothing moves any more */
export function usePolling<T>({ data, failure, reload }: Loaded<T>, everyMs: number | null): void {
  useEffect(() => {
    if (everyMs === null) return undefined;
    const ask = () => {
      if (!document.hidden) void reload();
    };
    const timer = setTimeout(ask, everyMs);
    document.addEventListener('visibilitychange', ask);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', ask);
    };
  }, [data.value, failure.value, everyMs]);
}

/** What stands at the right as numbers do, where it is not a number itself. */
interface Figure {
  readonly figure: ComponentChildren;
}

export const figure = (text: ComponentChildren): Figure => ({ figure: text });

type Cell<Row> = (row: Row) => ComponentChildren | Figure;
/** What stands in each column, by its heading; numbers are grouped and stand at the right. */
export type Columns<Row> = Readonly<Record<string, Cell<Row>>>;

interface TableProps<Row> {
  /** What the table shows, for those who do not see it. */
  readonly label: string;
  readonly columns: Columns<Row>;
  /** Those behind them whose headings nobody knows before: several may be alike. */
  readonly more?: readonly (readonly [heading: string, cell: Cell<Row>])[];
  readonly rows: readonly Row[];
  /** What tells a row from the others, where it is not its id. */
  readonly keyOf?: (row: Row) => string | number;
  /** What is shown in place of a table without rows; a text is a heading. */
  readonly empty?: ComponentChildren;
  /** What is to be done about it. */
  readonly emptyHint?: string;
}

const idOf = (row: unknown) => (row as { readonly id: string | number }).id;

export function Table<Row>({ label, columns, more = [], rows, keyOf = idOf, empty, emptyHint }: TableProps<Row>) {
  if (rows.length === 0 && typeof empty === 'string')
    return <Empty title={empty}>{emptyHint !== undefined && <p>{emptyHint}</p>}</Empty>;
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>;
  const all = [...Object.entries(columns), ...more];
  const lines = rows.map((row) => ({ key: keyOf(row), cells: all.map(([, cell]) => cell(row)) }));
  const classes = all.map((_, at) => (lines.some(({ cells }) => isFigure(cells[at])) ? 'number' : undefined));
  return (
    <div class="scroll" tabindex={0} role="region" aria-label={label}>
      <table>
        <caption class="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {all.map(([heading], at) => (
              <th key={at} scope="col" class={classes[at]}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, at) => (
                <td key={at} class={classes[at]}>
                  {shown(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const isObject = (cell: unknown): cell is object => typeof cell === 'object' && cell !== null;
const isFigure = (cell: unknown): cell is Figure | number =>
  typeof cell === 'number' || (isObject(cell) && 'figure' in cell);

function shown(cell: ComponentChildren | Figure): ComponentChildren {
  if (!isFigure(cell)) return cell;
  return typeof cell === 'number' ? count(cell) : cell.figure;
}

/** A page has its rows under a name of their own. */
type PageOf<Row, Member extends string> = { readonly next_cursor: string | null } & {
  readonly [Name in Member]: readonly Row[];
};

/** What a route is asked for one page with. @param query which rows, and how many */
type AskPage = <Query extends object>(
  query?: Query,
) => { readonly query: Query & { readonly cursor: string | undefined }; readonly signal: AbortSignal };

interface ListingProps<Row, Member extends string> extends Omit<TableProps<Row>, 'rows'> {
  readonly load: (page: AskPage) => Promise<PageOf<Row, Member>>;
  /** The name of the rows. */
  readonly rows: Member;
  /** The first page is asked for anew when one of these changes. */
  readonly on?: readonly unknown[];
}

/** A listing by cursors: pages lie behind one another, and nobody counts them. */
export function Listing<Row, Member extends string>({ load, on = [], ...table }: ListingProps<Row, Member>) {
  // The cursors of the pages up to this one; the first has none.
  const trail = useSignal<readonly (string | undefined)[]>([undefined]);
  const filters = JSON.stringify(on);
  useEffect(() => {
    trail.value = [undefined];
  }, [filters]);
  const cursor = trail.value.at(-1);
  const { data, failure, isLoading, reload } = useLoad(
    (signal) => load((query) => ({ query: { ...query!, cursor }, signal })),
    [cursor, filters],
  );
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
  return (
    <>
      <Table {...table} rows={page[table.rows]} empty={isFirst ? table.empty : undefined} />
      {(!isFirst || page.next_cursor !== null) && (
        <nav class="pages" aria-label={`Pages: ${table.label}`}>
          <button type="button" disabled={isFirst || isLoading.value} onClick={() => turn([undefined])}>
            First
          </button>
          <button type="button" disabled={isFirst || isLoading.value} onClick={() => turn(trail.value.slice(0, -1))}>
            Previous
          </button>
          <button
            type="button"
            disabled={page.next_cursor === null || isLoading.value}
            onClick={() => turn([...trail.value, page.next_cursor ?? undefined])}
          >
            Next
          </button>
        </nav>
      )}
    </>
  );
}

interface SectionProps {
  readonly id: string;
  readonly title: ComponentChildren;
  readonly class?: string;
  readonly children?: ComponentChildren;
}

/** A part of a screen under a heading. */
export function Section({ id, title, class: name, children }: SectionProps) {
  return (
    <section class={name} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
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
