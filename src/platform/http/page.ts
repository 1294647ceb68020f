import { invalidField } from '../errors/app-error.js';
import { IntegerInQuery, OptionalOneOf, OptionalString } from './fields.js';
import { DEFAULT_PAGE_LIMIT, type PageInput, type Page } from './listing.js';
import { field, Reply } from './reply.js';
import { FILE_FORMATS, type FileFormat } from './table-file.js';
import { type Type } from '@nestjs/common';

export type { Page, PageRequest, Position } from './listing.js';

const MOST = 100;

/** The query of a page of a listing, newest first. */
export class PageQuery implements PageInput {
  @IntegerInQuery({ minimum: 1, maximum: MOST, default: DEFAULT_PAGE_LIMIT })
  readonly limit?: number;

  @OptionalString(200, { description: '`next_cursor` of the page before.' })
  readonly cursor?: string;
}

/** The member `next_cursor`. */
export const NEXT_CURSOR = field.textOrNull('For the next page as `cursor`; null on the last one.');

type PageBody<Name extends string, Row> = Readonly<Record<Name, readonly Row[]>> & {
  readonly next_cursor: string | null;
};

/**
 * The class of a page: rows under their name, such as `keys`, and where the next page begins. In the documents it is called like the
 * class that extends it.
 */
export function PageOf<Row, Name extends string>(row: Type<Row>, name: Name): Type<PageBody<Name, Row>> {
  return Reply({ [name]: field.listOf(row), next_cursor: NEXT_CURSOR }) as Type<PageBody<Name, Row>>;
}

/** A page as it is sent. */
export function pageReply<Name extends string, Item, Row>(
  name: Name,
  { items, nextCursor }: Page<Item>,
  show: (item: Item) => Row,
): PageBody<Name, Row> {
  // TypeScript takes the name of a computed member for any text.
  const rows = { [name]: items.map((item) => show(item)) } as unknown as Record<Name, readonly Row[]>;
  return { ...rows, next_cursor: nextCursor };
}

const FORMATS = ['json', ...FILE_FORMATS] as const;

/** The query of a listing that may also be had whole, as a file. */
export class FileQuery extends PageQuery {
  @OptionalOneOf(FORMATS, {
    default: 'json',
    description: '`csv` and `ndjson` are files of all entries, without pages.',
  })
  readonly format?: (typeof FORMATS)[number];
}

/** The file that is wanted; null for a page. @throws AppError `invalid_input` for a page of a file */
export function fileFormatOf({ format = 'json', limit, cursor }: FileQuery): FileFormat | null {
  if (format === 'json') return null;
  for (const [name, value] of Object.entries({ limit, cursor }))
    if (value !== undefined) throw invalidField(name, 'needs format=json');
  return format;
}
