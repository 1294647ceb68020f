/**
 * The same items, of which the next one is asked for while the last one is used: one, however slow whoever uses them is. When they are
 * used no more, it waits for what it has asked for, so that nothing stays open.
 */
export async function* readAhead<T>(items: AsyncGenerator<T>): AsyncGenerator<T, void> {
  let next = ask(items);
  try {
    for (let item = await next; !item.done; item = await next) {
      next = ask(items);
      yield item.value;
    }
  } finally {
    await next.catch(() => undefined);
    await items.return(undefined);
  }
}

function ask<T>(items: AsyncGenerator<T>): Promise<IteratorResult<T>> {
  const asked = items.next();
  // Told to whoever awaits it.
  asked.catch(() => undefined);
  return asked;
}
