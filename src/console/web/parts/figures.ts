const COUNT = new Intl.NumberFormat(undefined);
const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
/** Our words are English, whatever the reader's figures are. */
const PLURALS = new Intl.PluralRules('en');
const UNITS = ['bytes', 'KB', 'MB', 'GB'] as const;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
export const SECOND_MS = 1_000;
export const HOUR_MS = HOUR * SECOND_MS;
export const DAY_MS = DAY * SECOND_MS;

/** Grouped as the reader is used to. */
export const count = (value: number): string => COUNT.format(value);
export const percent = (share: number): string => PERCENT.format(Number.isFinite(share) ? share : 0);
/** Such as `1 row` and `2,000 rows`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${PLURALS.select(value) === 'one' ? one : many}`;

export function bytes(size: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, size)) / 3));
  const value = size / 1000 ** step;
  return `${step === 0 ? value : value.toFixed(1)} ${UNITS[step]}`;
}

/** In the two largest units, such as `3 h 20 min`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const parts = (
    [
      ['d', Math.floor(whole / DAY)],
      ['h', Math.floor((whole % DAY) / HOUR)],
      ['min', Math.floor((whole % HOUR) / MINUTE)],
      ['s', whole % MINUTE],
    ] as const
  ).filter(([, value]) => value > 0);
  if (parts.length === 0) return '0 s';
  return parts
    .slice(0, 2)
    .map(([unit, value]) => `${value} ${unit}`)
    .join(' ');
}
