/** A name as columns and the interface write it: `creditsCharged` as `credits_charged`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : Name;

type SnakeRow<Row> = {
  readonly [Name in keyof Row & string as Snake<Name>]: Row[Name] extends Date | null
    ? Exclude<Row[Name], Date> | string
    : Row[Name];
};

/** Of the rows that replies show, which have few names and come by the hundred. */
const rowNames = new Map<string, string>();
const MAX_ROW_NAMES = 1_000;

function rowName(name: string): string {
  let known = rowNames.get(name);
  if (known === undefined) {
    known = snakeCase(name);
    if (rowNames.size < MAX_ROW_NAMES) rowNames.set(name, known);
  }
  return known;
}

/** A row as replies have it that no class describes: names in snake case, times as text. */
export function snakeRow<Row extends object>(row: Row): SnakeRow<Row> {
  const entries = Object.entries(row).map(([name, value]) => [
    rowName(name),
    value instanceof Date ? value.toISOString() : (value as unknown),
  ]);
  return Object.fromEntries(entries) as SnakeRow<Row>;
}
