import type { Outcome } from '../credits/prices.js';
import { UNTRUSTED, type Verification } from '../engine/types.js';

/** What a verification is charged as. Its verdict, unless our own DNS resolver lied, so that nobody could be asked. */
export function outcomeOf({ verdict, evidence }: Pick<Verification, 'verdict' | 'evidence'>): Outcome {
  return evidence.stage === 'dns' && evidence.text === UNTRUSTED ? 'prevented' : verdict;
}
