const MAX_SECONDS = 1_000;
/** Beginnings of times up to the point before the milliseconds, by second. */
const seconds = new Map<number, string>();

/**
 * A time as `Date.toISOString` writes it. A call of `toISOString` for each row would be most of the cost of presenting a download
 * (bench/JOURNAL.md), and the times of one second differ in three digits only.
 * @param ms since 1970
 */
export function isoTime(ms: number): string {
  const second = Math.floor(ms / 1_000);
  let beginning = seconds.get(second);
  if (beginning === undefined) {
    if (seconds.size === MAX_SECONDS) seconds.clear();
    beginning = new Date(ms).toISOString().slice(0, -4);
    seconds.set(second, beginning);
  }
  return `${beginning}${String(ms - second * 1_000).padStart(3, '0')}Z`;
}
