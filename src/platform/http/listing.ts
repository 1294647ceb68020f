import { invalidField } from '../errors/app-error.js';

export const DEFAULT_PAGE_LIMIT = 20;

/** The position at which a listing by time goes on: behind the row of this time and id. */
export interface Position {
  readonly at: Date;
  readonly id: string;
}

/** The position of a row in a listing by the time at which it was made. */
export const byCreation = ({
  createdAt,
  id,
}: {
  readonly createdAt: Date;
  readonly id: string | number;
}): Position => ({
  at: createdAt,
  id: String(id),
});

/** The query of a page, as it was sent and checked. */
export interface PageInput {
  readonly limit?: number;
  readonly cursor?: string;
}

export interface PageRequest {
  readonly limit: number;
  readonly after: Position | null;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/* Rows that are read together where all are wanted. */
const PAGE_SIZE = 100;
/* The pattern of a position: milliseconds up to the year 2286, then the id, so that PostgreSQL can compare with every one. */
const POSITIONS = {
  uuid: /^(\d{1,13}) ([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/,
  integer: /^(\d{1,13}) ([1-9]\d{0,15})$/,
} as const;

/** Rows of one kind by their time, newest first, a page at a time. Each listing accepts only its own cursors. */
export class Listing {
  /** @param ids the pattern of ids, which order rows of one millisecond */
  constructor(
    private readonly name: string,
    private readonly ids: keyof typeof POSITIONS,
  ) {}

  /**
   * @param find gives one row more than asked for, when there are more
   * @throws AppError `invalid_input` for a cursor of another listing, or an invented one
   */
  async page<T>(
    { limit = DEFAULT_PAGE_LIMIT, cursor }: PageInput,
    find: (request: PageRequest) => Promise<readonly T[]>,
    positionOf: (row: T) => Position,
  ): Promise<Page<T>> {
    const rows = await find({ limit, after: cursor === undefined ? null : this.decode(cursor) });
    const items = rows.slice(0, limit);
    return { items, nextCursor: rows.length > limit ? this.encode(positionOf(items.at(-1)!)) : null };
  }

  private encode({ at, id }: Position): string {
    return encodeCursor(this.name, `${at.getTime()} ${id}`);
  }

  private decode(cursor: string): Position {
    const [ms, id] = decodeCursor(this.name, cursor, POSITIONS[this.ids]);
    return { at: new Date(Number(ms)), id: id! };
  }
}

/**
 * A position in a listing in the form for callers. It includes the listing's name, because a position means nothing in another
 * listing, and leaves out the owner, because each read asks for the owner's rows anyway.
 */
export function encodeCursor(listing: string, position: string): string {
  return Buffer.from(`${listing} ${position}`).toString('base64url');
}

/**
 * @param pattern of the position, whole
 * @returns the groups of the pattern
 * @throws AppError `invalid_input` for a cursor that this listing cannot have given
 */
export function decodeCursor(listing: string, cursor: string, pattern: RegExp): readonly string[] {
  const position = Buffer.from(cursor, 'base64url')
    .toString()
    .slice(listing.length + 1);
  // Node decodes base64url leniently, so only a text that encodes to itself again is one of ours.
  const found = encodeCursor(listing, position) === cursor ? pattern.exec(position) : null;
  if (found === null) throw invalidField('cursor', 'is not one of this listing');
  return found.slice(1);
}

/** All rows of a listing, a page at a time: the next one is asked for when the rows before it are taken. */
export async function* everyRow<Row>(page: (query: PageInput) => Promise<Page<Row>>): AsyncGenerator<Row, void> {
  let cursor: string | null = null;
  do {
    const { items, nextCursor }: Page<Row> = await page({ limit: PAGE_SIZE, ...(cursor !== null && { cursor }) });
    yield* items;
    cursor = nextCursor;
  } while (cursor !== null);
}
