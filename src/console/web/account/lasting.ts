import { counted, DAY_MS } from '../parts/values.js';

interface ChargedDays {
  /** The last day, as `YYYY-MM-DD`. */
  readonly to: string;
  /** The oldest first; a day without use is left out. */
  readonly usage: readonly { readonly value: string; readonly credits: number }[];
  readonly total: { readonly credits: number };
}

/** Fewer days show no pace. */
const MIN_DAYS = 7;
/** Beyond it a number of days would promise more than anybody knows. */
const MAX_DAYS = 365;

/** For how long a balance lasts when the use goes on as it was, with the figures that this rests on. */
export function lastingOf(remaining: number, { to, usage, total }: ChargedDays): string {
  const first = usage.find(({ credits }) => credits > 0);
  if (first === undefined) return 'No credits were used in the last 30 days.';
  const days = (Date.parse(to) - Date.parse(first.value)) / DAY_MS + 1;
  const span = days === 1 ? 'today' : `in the last ${counted(days, 'day')}`;
  const used = `${counted(total.credits, 'credit')} used ${span}`;
  if (days < MIN_DAYS) return `${used}: not enough days yet to estimate how long the balance lasts.`;
  const left = Math.floor((remaining * days) / total.credits);
  return `${used}. At that pace the balance lasts ${inDays(left)}.`;
}

function inDays(days: number): string {
  if (days < 1) return 'less than a day';
  return days > MAX_DAYS ? 'more than a year' : `about ${counted(days, 'day')}`;
}
