import type { Finding } from '../engine/finder/finding.js';

/** The finding for a person for whom no search is possible. */
export function notSearched(reason: Finding['reason']): Finding {
  return {
    email: null,
    pattern: null,
    verdict: 'invalid',
    reason,
    confidence: 1,
    verification: null,
    alternatives: [],
    tried: [],
    knownAddresses: 0,
    knownOfPattern: 0,
  };
}
