import { counter } from '../../platform/metrics/metrics.js';

/** How an address came: alone, over MCP, in a batch, or as a search for a person. */
type Via = 'single' | 'mcp' | 'batch' | 'finder';

const verifications = counter(
  'mailsonde_verifications_total',
  'Answers of the real world, by verdict, reason and the way of the request; those of test keys are not counted.',
  ['verdict', 'reason', 'via'],
);

/** @param works one for each outcome, of a caller whose mail world is the real one */
export function countVerifications(
  works: readonly { readonly verdict: string; readonly reason: string; readonly items: number }[],
  via: Via,
): void {
  for (const { verdict, reason, items } of works) verifications.inc({ verdict, reason, via }, items);
}
