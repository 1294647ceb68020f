import type { Page } from '../../platform/http/page.js';

/** @param name of the list, such as `accounts` */
export function pageReply<Name extends string, Item, Body>(
  name: Name,
  { items, nextCursor }: Page<Item>,
  body: (item: Item) => Body,
): Record<Name, readonly Body[]> & { readonly next_cursor: string | null } {
  // TypeScript takes the name of a computed member for any text.
  const list = { [name]: items.map((item) => body(item)) } as unknown as Record<Name, readonly Body[]>;
  return { ...list, next_cursor: nextCursor };
}
