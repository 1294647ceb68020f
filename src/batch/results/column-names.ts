import type { SentColumns } from '../model/sent-columns.js';

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
