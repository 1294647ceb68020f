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

export interface Random {
  /** A number in [0, 1). */
  fraction(): number;
}
