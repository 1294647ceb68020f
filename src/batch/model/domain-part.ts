/** The text after the last `@` of an item, as it was sent; of an item without `@` all of it. */
export function domainPartOf(item: string): string {
  return item.slice(item.lastIndexOf('@') + 1);
}

/** What items that only repeat one another have in common: the item, trimmed by the caller, with its domain in lower case. */
export function repeatKeyOf(item: string): string {
  const domain = domainPartOf(item);
  return item.slice(0, item.length - domain.length) + domain.toLowerCase();
}
