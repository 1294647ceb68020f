import type { EntityManager } from 'typeorm';
import { snakeCase } from '../../lib/snake-case.js';

/**
 * Inserts one row; a value that is to be JSON comes as its text.
 * @param values by the names of their columns, which are ours, in snake case or as members
 * @param ending SQL behind the values, such as what happens on a conflict
 * @returns what the ending returns
 */
export function insertRow(
  tx: EntityManager,
  table: string,
  values: Readonly<Record<string, unknown>>,
  ending = '',
): Promise<unknown[]> {
  const names = Object.keys(values).map(snakeCase);
  const places = names.map((_, index) => `$${index + 1}`);
  return tx.query(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places.join(', ')}) ${ending}`,
    Object.values(values),
  );
}

/** The members of rows as arrays, as `unnest` takes them. */
export function columnsOf<Row>(rows: readonly Row[], names: readonly (keyof Row)[]): unknown[][] {
  return names.map((name) => rows.map((row) => row[name]));
}

/** The names in a text, which stand on one line or on several. */
type NamesIn<Text extends string> = Text extends `${infer Before}\n${infer After}`
  ? NamesIn<Before> | NamesIn<After>
  : Text extends `${infer Word} ${infer After}`
    ? NamesIn<Word> | NamesIn<After>
    : Exclude<Text, ''>;

/** The column of each member: its name in snake case. The compiler finds a member that is not named, and a name that no member has. */
export const columnsNamed =
  <Row>() =>
  <Text extends string>(
    members: Text & (keyof Row | NamesIn<Text> extends keyof Row & NamesIn<Text> ? unknown : never),
  ): Readonly<Record<keyof Row & string, string>> => {
    const names = members.split(/\s+/).filter((name) => name !== '');
    return Object.fromEntries(names.map((name) => [name, snakeCase(name)])) as Record<keyof Row & string, string>;
  };

/** `id AS "id", account_id AS "accountId", …` @param table the name of the table in the statement, where it has one */
export function selected(columns: Readonly<Record<string, string>>, table = ''): string {
  return Object.entries(columns)
    .map(([member, column]) => `${table && `${table}.`}${column} AS "${member}"`)
    .join(', ');
}
