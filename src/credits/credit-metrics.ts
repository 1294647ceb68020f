import { counter } from '../platform/metrics/metrics.js';
import type { SourceName } from './credit-source.js';

const charged = counter('mailsonde_credits_charged_total', 'Credits charged, by where they came from.', ['source']);

/** Called when the charge is committed; work in test mode charges nothing. */
export function countCharged(source: SourceName, credits: number): void {
  if (source !== 'none' && credits > 0) charged.inc({ source }, credits);
}
