import type { Page, PageQuery } from '../page.js';

const PAGE_SIZE = 100;

/** All rows of a listing, a page at a time: the next one is asked for when the rows before it are taken. */
export async function* everyRow<Row>(page: (query: PageQuery) => Promise<Page<Row>>): AsyncGenerator<Row, void> {
  let cursor: string | null = null;
  do {
    const { items, nextCursor }: Page<Row> = await page({ limit: PAGE_SIZE, ...(cursor !== null && { cursor }) });
    yield* items;
    cursor = nextCursor;
  } while (cursor !== null);
}
