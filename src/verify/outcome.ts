import type { Outcome } from '../credits/prices.js';
import { UNTRUSTED, type Verification } from '../engine/types.js';

/** What a verification is charged as. Its verdict, unless the text is no address, or our own DNS resolver lied, so that nobody could be asked. */
export function outcomeOf({
  verdict,
  reason,
  evidence,
}: Pick<Verification, 'verdict' | 'reason' | 'evidence'>): Outcome {
  if (reason === 'invalid_syntax') return 'malformed';
  return evidence.stage === 'dns' && evidence.text === UNTRUSTED ? 'prevented' : verdict;
}
