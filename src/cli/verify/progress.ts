export interface Progress {
  /** @param leftMs when somebody knows better than a straight line how long it still takes; null: that nobody knows */
  show(done: number, leftMs?: number | null): void;
  /** Lets something be written to the terminal that the bar is on: it goes above the bar. */
  above(write: () => void): void;
  end(): void;
}

const NO_PROGRESS: Progress = { show: () => {}, above: (write) => write(), end: () => {} };

/**
 * A bar on standard error where a person looks at it, else nothing.
 * @param total null when it is not known: then a count
 * @param unit what is counted, such as `KB sent`
 */
export async function createProgress(total: number | null, isTerminal: boolean, unit = 'verified'): Promise<Progress> {
  if (!isTerminal) return NO_PROGRESS;
  const { Presets, SingleBar } = await import('cli-progress');
  const format = total === null ? `  {value} ${unit}` : `  {bar}  {percentage}%  {value} of {total} ${unit}{left}`;
  const bar = new SingleBar({ stream: process.stderr, clearOnComplete: true, format }, Presets.shades_classic);
  const startedAt = performance.now();
  let done = 0;
  let known: number | null | undefined;
  // The library's own estimate does not survive the stop that a line above the bar needs.
  const payload = () => {
    const leftMs =
      known === undefined && total !== null ? straightLine(performance.now() - startedAt, done, total) : known;
    return { left: leftText(leftMs ?? null) };
  };
  const start = () => bar.start(total ?? 0, done, payload());
  start();
  return {
    show: (value, leftMs) => {
      done = value;
      known = leftMs;
      bar.update(done, payload());
    },
    above: (write) => {
      bar.stop();
      write();
      start();
    },
    end: () => bar.stop(),
  };
}

function straightLine(elapsedMs: number, done: number, total: number): number | null {
  return done === 0 ? null : (elapsedMs / done) * (total - done);
}

/** What stands behind a bar; nothing when it is not known. */
export function leftText(leftMs: number | null): string {
  if (leftMs === null) return '';
  const seconds = Math.max(0, Math.round(leftMs / 1_000));
  return seconds < 120 ? `, ${seconds} s left` : `, ${Math.round(seconds / 60)} min left`;
}
