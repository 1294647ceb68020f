import { useSignal } from '@preact/signals';
import { Fragment, type ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

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

// Pure: pages that show no time, such as the card of MCP, are built without them.
const SHORT = /* @__PURE__ */ new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const EXACT = /* @__PURE__ */ new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

/** A time in the reader's zone; the exact one, and UTC, on hover. */
export function Time({ at, none = 'never' }: { readonly at: string | null | undefined; readonly none?: string }) {
  if (at === null || at === undefined) return <span class="hint">{none}</span>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={`${EXACT.format(date)}\n${date.toISOString()}`}>
      {SHORT.format(date)}
    </time>
  );
}

/** What is left until a time, counted down. */
export function Countdown({ until, over = 'now' }: { readonly until: string; readonly over?: string }) {
  const now = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => (now.value = Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  const left = (Date.parse(until) - now.value) / SECOND_MS;
  return (
    <time dateTime={until} title={EXACT.format(new Date(until))}>
      {left > 0 ? duration(left) : over}
    </time>
  );
}

interface FactsProps {
  readonly of: Readonly<Record<string, ComponentChildren>>;
  /** Those of which several may have one name. */
  readonly more?: readonly (readonly [name: string, value: ComponentChildren])[];
}

/** Names and values, one under the other; what is null is left out. */
export function Facts({ of: facts, more = [] }: FactsProps) {
  return (
    <dl class="facts">
      {[...Object.entries(facts), ...more]
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  );
}

/** What a word of the service is like; a word that is none of them says nothing good or bad. */
const COLOURS: Readonly<Record<string, string>> = {
  ok: 'valid',
  clean: 'valid',
  healthy: 'valid',
  completed: 'valid',
  pass: 'valid',
  expired: 'risky',
  certain: 'valid',
  warning: 'risky',
  medium: 'risky',
  low: 'risky',
  needs_you: 'risky',
  none: 'risky',
  softfail: 'risky',
  critical: 'invalid',
  high: 'invalid',
  listed: 'invalid',
  fail: 'invalid',
  permerror: 'invalid',
};

/** A word of the service as a badge; the word is the message, and the colour only repeats it. */
export function StateBadge({ state }: { readonly state: string }) {
  return <span class={`badge ${COLOURS[state] ?? 'unknown'}`}>{state.replaceAll('_', ' ')}</span>;
}

/** The same, where only its reader knows what is good. */
export function Badge({ isGood, children }: { readonly isGood: boolean; readonly children: ComponentChildren }) {
  return <span class={`badge ${isGood ? 'valid' : 'invalid'}`}>{children}</span>;
}
