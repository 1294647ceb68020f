import { invalidField } from '../../platform/errors/app-error.js';
import type { CsvLayout, SentColumns } from '../model/row-ref.js';

/** The prefix of a result column whose name the customer's own file has already. */
const PREFIX = 'mailsonde_';

/** Each name once: a column whose name came before gets `_2`, `_3` and so on behind it. */
export function distinctNames(names: readonly string[]): string[] {
  const given = new Set(names);
  const used = new Set<string>();
  // The search for a free name goes on where the last one for the same name ended, so that equal names take linear time.
  const last = new Map<string, number>();
  return names.map((name) => {
    let distinct = name;
    for (let number = last.get(name) ?? 2; used.has(distinct) || (distinct !== name && given.has(distinct)); number++) {
      distinct = `${name}_${number}`;
      last.set(name, number + 1);
    }
    used.add(distinct);
    return distinct;
  });
}

/** The names of a batch's own columns in its results, each once. */
export interface OwnNames {
  /** Beside the item of each row, in their order; null when there are none. */
  readonly columns: readonly string[] | null;
  /** All columns of the CSV that was sent, in their order; null when the batch was no CSV of addresses. */
  readonly file: readonly string[] | null;
}

/** The column of addresses keeps its name, whatever the others are called. */
export function ownNames(sent: SentColumns | null): OwnNames {
  if (sent === null) return { columns: null, file: null };
  const { names, layout } = sent;
  const [first, ...columns] = distinctNames([layout?.name ?? '', ...names]);
  const file = layout && columns.toSpliced(layout.column, 0, first!);
  return { columns: columns.length > 0 ? columns : null, file };
}

/** The result columns of a file: beside a column of the customer with the same name they have a prefix. */
export function resultNames(names: readonly string[], own: readonly string[]): string[] {
  const taken = new Set(own);
  return distinctNames([...own, ...names.map((name) => (taken.has(name) ? PREFIX + name : name))]).slice(own.length);
}

const ALL = 'all';
/** Says of a row of a batch that still runs that it waits for its answer. */
const PENDING = 'pending';

/** A member of a row, or one of an object within it. */
export type MemberPath = readonly [outer: string, inner?: string];

/** What a table of results is made of, as its request and its batch say. */
export interface TableRequest {
  readonly names: OwnNames;
  /** Set when the file comes back as it was sent: own columns first, the address where it was. */
  readonly layout: CsvLayout | null;
  /** Names of the result columns; null: all. */
  readonly fields: readonly string[] | null;
  /** Rows may wait for their answer: these have fewer members. */
  readonly isPartial: boolean;
  /** Whether a column says which rows wait. */
  readonly tellsPending: boolean;
  /** Whether own columns are written as they were sent, formulas too. */
  readonly keepsOwn: boolean;
}

interface TableColumns {
  readonly header: readonly string[];
  /** The members that are written of each row; null: all, in their order. */
  readonly members: readonly MemberPath[] | null;
  readonly ownColumns: number;
}

/** @param row with all members */
export function tableColumns(
  { names, layout, fields, isPartial, tellsPending }: TableRequest,
  row: object,
): TableColumns {
  const chosen = fields ?? [...memberNames(row), ...(tellsPending ? [PENDING] : [])];
  const own = (layout === null ? names.columns : names.file) ?? [];
  const results = resultNames(chosen, own);
  return {
    header: layout === null ? [...results, ...own] : [...own, ...results],
    members: fields === null && !isPartial ? null : chosen.map(pathOf),
    ownColumns: own.length,
  };
}

/**
 * The result columns that a query names.
 * @param row with all members
 * @returns null for all of them
 * @throws AppError `invalid_input` for a name that is no column
 */
export function readFields(text: string, row: object, tellsPending: boolean): readonly string[] | null {
  const known = [...memberNames(row), ...(tellsPending ? [PENDING] : [])];
  const fields = new Set(text.split(',').map((name) => name.trim()));
  if (fields.has(ALL) && fields.size === 1) return null;
  for (const field of fields)
    if (!known.includes(field)) throw invalidField('fields', `must be ${ALL}, or a comma list of ${known.join(', ')}`);
  return [...fields];
}

/** The names of a row's members, those of nested objects as `outer.inner`. */
function memberNames(row: object): string[] {
  return Object.entries(row).flatMap(([name, value]: [string, unknown]) =>
    isNested(value) ? Object.keys(value).map((inner) => `${name}.${inner}`) : [name],
  );
}

export function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function pathOf(name: string): MemberPath {
  const [outer, inner] = name.split('.') as [string, string?];
  return [outer, inner];
}
