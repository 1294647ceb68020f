/* Which column of a table holds addresses: by what stands in its first rows, then by its name in any language. */

/** So many rows tell it. */
export const SAMPLE_ROWS = 100;

interface Table {
  /** So many rows of notes stand before the table, as in the contacts that LinkedIn exports. */
  readonly notes: number;
  /** The first row behind them has names, and is no row of the list. */
  readonly hasHeader: boolean;
}

export interface AddressColumn extends Table {
  /** From 0. */
  readonly column: number;
}

/** Several columns have addresses, and no name says which are meant; none where no column has any. */
export interface UndecidedColumn extends Table {
  readonly candidates: readonly number[];
}

/** A name that says no more than that there are addresses: the one among several that is meant. */
const PLAIN_NAME =
  /^((e-?)?mails?([ .-]?(address(es)?|adress[ea]?n?|addr|id))?|address(es)?|(adresse|indirizzo|direccion|endereco)( de)? e?-?mail|courriel|correo( electronico)?|posta elettronica|e-?post(a|adress)?|sahkoposti(osoite)?|(электронная )?почта|メール(アドレス)?|邮箱|电子邮件|電子郵件|이메일)$/u;
/** A name of which addresses are a part: `Work Email`, `contact_email`, `E-mail 1 - Value`. */
const ANY_NAME =
  /e-?mail|\bmail|courriel|\bcorreo|\bposta\b|e-?post|e-?pasts|sahkoposti|почт|пошта|поща|имейл|ηλεκτρον|メール|邮|電郵|郵件|메일|بريد|ایمیل|דוא|อีเมล|ईमेल/u;
/** What people write where they have nothing. */
const NO_VALUE = /^(n\/?a|none|null|unknown|keine?)$/;

const MAX_CHARACTERS = 1_000;
/** More than any export has. A hostile line has sixty thousand, and each would be looked at in a hundred rows. */
export const MAX_COLUMNS = 256;

/** Whether a cell holds one address, as a person would see it; what the service makes of it is for the service to say. */
export function hasAddress(cell: string): boolean {
  const text = cell.trim();
  return text.length <= MAX_CHARACTERS && /^[^\s,;<>]+@[^\s@.,;:<>"]+(\.[^\s@.,;:<>"]+)+$/.test(text);
}

/** Lower case, without accents, with single spaces: `Adresse  E-Mail` and `adresse e-mail` are one name. */
function plainName(name: string): string {
  const letters = name.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
  return letters
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_]+/g, ' ')
    .trim();
}

/** Whether a cell may be a name of a column: an address that somebody has misspelt, and `n/a`, are rows of a list. */
const isTitle = (cell: string): boolean =>
  /\p{L}/u.test(cell) && !/[@.]\S/.test(cell) && !NO_VALUE.test(plainName(cell));

/** Whether a lonely first cell is the name of a column of addresses. */
export function isAddressName(name: string): boolean {
  return isTitle(name) && (PLAIN_NAME.test(plainName(name)) || ANY_NAME.test(plainName(name)));
}

/**
 * The column of addresses of a table.
 * @param sample its first rows, `SAMPLE_ROWS` of them where there are so many
 * @param knownHeader whether somebody knows that the first row has names; null: nobody does
 */
export function findAddressColumn(
  sample: readonly (readonly string[])[],
  knownHeader: boolean | null = null,
): AddressColumn | UndecidedColumn {
  const notes = notesBefore(sample);
  const [start = [], ...others] = sample.slice(notes);
  const first = start.slice(0, MAX_COLUMNS);
  if (first.length < 2) return { column: 0, hasHeader: knownHeader ?? isAddressName(first[0] ?? ''), notes };
  const hasHeader = knownHeader ?? isHeader(first, others);
  const rows = hasHeader ? others : [start, ...others];
  const names = first.map((name) => (hasHeader ? plainName(name) : ''));
  const held = names.map((_, i) => shareOfAddresses(rows, i));
  const most = held.some((share) => share >= 0.5) ? 0.5 : Number.MIN_VALUE;
  const candidates = held.flatMap((share, i) => (share >= most ? [i] : []));
  const column =
    candidates.length === 1 ? candidates[0] : meantOf(candidates.length > 0 ? candidates : [...names.keys()], names);
  return column === undefined ? { candidates, hasHeader, notes } : { column, hasHeader, notes };
}

const MAX_NOTES = 10;

/** So many rows of one text and no address stand before others of several cells. */
export function notesBefore(sample: readonly (readonly string[])[]): number {
  const notes = Math.max(
    0,
    sample.slice(0, MAX_NOTES + 1).findIndex((row) => row.length > 2),
  );
  return sample.slice(0, notes).every((row) => row.length === 1 && !row[0]!.includes('@')) ? notes : 0;
}

/** Of its cells that hold anything, those that hold an address. */
function shareOfAddresses(rows: readonly (readonly string[])[], column: number): number {
  const cells = rows.map((row) => row[column] ?? '').filter((cell) => cell.trim() !== '');
  return cells.length === 0 ? 0 : cells.filter(hasAddress).length / cells.length;
}

/** The one of several columns that a name singles out: the only plain one, the first of a numbered kind, or the only one at all. */
function meantOf(columns: readonly number[], names: readonly string[]): number | undefined {
  const plain = columns.filter((i) => PLAIN_NAME.test(names[i]!));
  if (plain.length > 0) return plain.length === 1 ? plain[0] : undefined;
  const named = columns.filter((i) => ANY_NAME.test(names[i]!));
  const kinds = new Set(named.map((i) => names[i]!.replace(/\d+/g, '')));
  const meant = kinds.size < 2 ? named : named.filter((i) => /primary|main|haupt|principal/.test(names[i]!));
  return kinds.size < 2 || meant.length === 1 ? meant[0] : undefined;
}

/** Whether the first row has names: told by all of its cells, since a row of a list may have no address. */
function isHeader(first: readonly string[], others: readonly (readonly string[])[]): boolean {
  if (first.some((cell) => cell.includes('@'))) return false;
  const names = first.map(plainName);
  if (names.some((name) => PLAIN_NAME.test(name) || ANY_NAME.test(name))) return true;
  if (first.every(isTitle) && new Set(names).size === names.length) return true;
  // A word above a column of addresses.
  return first.some((cell, i) => isTitle(cell) && shareOfAddresses(others, i) > 0);
}
