/** Time as src/lib needs it: handed in, so that a test decides when it passes. */
export interface Timer {
  /** Calls back once after `ms`; the function returned cancels. */
  after(ms: number, callback: () => void): () => void;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after `ms`; the function returned cancels. Must not keep a process alive by itself. */
  after(ms: number, callback: () => void): () => void;
}

/** Does work that hears when its time is over; what waits for that ends with the work, too. */
export async function withTimeLimit<T>(
  timer: Timer,
  ms: number,
  work: (over: Promise<void>) => Promise<T>,
): Promise<T> {
  let endNow = (): void => {};
  const over = new Promise<void>((resolve) => (endNow = resolve));
  const cancel = timer.after(ms, endNow);
  try {
    return await work(over);
  } finally {
    cancel();
    endNow();
  }
}

export interface Random {
  /** A number in [0, 1). */
  fraction(): number;
}
