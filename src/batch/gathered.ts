/**
 * The same items in groups: what has come while the group before was used. It is read on meanwhile, so the source bounds what waits.
 * @param stop makes the source end soon; called when no more groups are wanted
 */
export async function* gathered<T>(items: AsyncIterable<T>, stop: () => void): AsyncGenerator<T[], void> {
  let group: T[] = [];
  let isOver = false;
  let wake = (): void => undefined;

  async function read(): Promise<void> {
    for await (const item of items) if (group.push(item) === 1) wake();
  }

  const reading = read().finally(() => {
    isOver = true;
    wake();
  });
  // Told when what came before is used.
  reading.catch(() => undefined);
  try {
    for (;;) {
      if (group.length > 0) {
        const next = group;
        group = [];
        yield next;
      } else if (isOver) return await reading;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    stop();
    await reading.catch(() => undefined);
  }
}
