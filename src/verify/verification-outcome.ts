import type { Outcome } from '../credits/prices.js';
import { isUntrusted } from '../engine/judge/denied-domain.js';
import type { Verification } from '../engine/types.js';
import { type Trace, writeStep } from '../platform/logging/trace.js';
import { counter } from '../platform/metrics/metrics.js';

/** What a verification is charged as. Its verdict, unless the text is no address, or we asked nobody: our own DNS resolver lied, or a run of names is slowed down. */
export function outcomeOf({
  verdict,
  reason,
  evidence,
}: Pick<Verification, 'verdict' | 'reason' | 'evidence'>): Outcome {
  if (reason === 'invalid_syntax') return 'malformed';
  if (reason === 'enumeration_suspected') return 'prevented';
  return isUntrusted(evidence) ? 'prevented' : verdict;
}

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

/** The step of a verification: what decided it, without the address and the names of its mail hosts, which may be a person's own. */
export function writeDialogue({ id, requestId }: Trace, { verdict, reason, evidence }: Verification, ms: number): void {
  const { stage, code, source } = evidence;
  const decided = code === null ? `at ${stage}` : `by ${code} at ${stage}`;
  writeStep(`verified: ${verdict}, ${reason}, decided ${decided}`, {
    trace_id: id,
    request_id: requestId,
    verdict,
    reason,
    stage,
    code,
    source,
    ms,
  });
}
