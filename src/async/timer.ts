/** Time as src/async needs it: handed in, so that a test decides when it passes. */
export interface Timer {
  /** Calls back once after `ms`; the function returned cancels. */
  after(ms: number, callback: () => void): () => void;
}
