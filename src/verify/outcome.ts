import type { Outcome } from '../credits/prices.js';
import { UNTRUSTED, type Verification } from '../engine/types.js';

/** What a verification is charged as. Its verdict, unless the text is no address, or we asked nobody: our own DNS resolver lied, or a run of names is slowed down. */
export function outcomeOf({
  verdict,
  reason,
  evidence,
}: Pick<Verification, 'verdict' | 'reason' | 'evidence'>): Outcome {
  if (reason === 'invalid_syntax') return 'malformed';
  if (reason === 'enumeration_suspected') return 'prevented';
  return evidence.stage === 'dns' && evidence.text === UNTRUSTED ? 'prevented' : verdict;
}
