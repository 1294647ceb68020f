import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { duration, SECOND_MS } from './figures.js';

const SHORT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

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
