/**
 * Yields the items of a source and keeps exactly one request for the next item under way while the consumer uses the last one.
 *
 * The source is asked when the iteration begins, and again each time an item is handed out; never twice at once, so one item at most
 * waits, however slow the consumer is. An error of the source is thrown in its turn, after the items before it.
 *
 * A consumer that wants no more first waits for the request under way, whose item or error is dropped, and then closes the source:
 * nothing stays open behind it.
 */
export async function* readAhead<T>(items: AsyncGenerator<T>): AsyncGenerator<T, void> {
  let next = request(items);
  try {
    for (let item = await next; !item.done; item = await next) {
      next = request(items);
      yield item.value;
    }
  } finally {
    await next.catch(() => undefined);
    await items.return(undefined);
  }
}

function request<T>(items: AsyncGenerator<T>): Promise<IteratorResult<T>> {
  const requested = items.next();
  // The error is thrown by the next `await`; this only silences the warning about an unhandled rejection until then.
  requested.catch(() => undefined);
  return requested;
}
