/** What happens next, by what the answer was wanted for. */
const NEXT = {
  verification: 'This says nothing about the mailbox; ask again later.',
  check: 'Try again in a minute.',
  monitor: 'Mailsonde asks again at the next run.',
} as const;

/**
 * What a user is told of questions whose answers were `untrusted`: whose fault that is, what it costs, and what happens next.
 * @param isFree whether nothing was charged; false where something was, and where nothing is ever charged
 */
export function untrustedSentence(wantedFor: keyof typeof NEXT, isFree = true): string {
  const cost = isFree ? ', and nothing was charged' : '';
  return `This service's own DNS resolver gave answers that contradict what is known or could not be checked, so they were not used. That is our fault, not a fault of what you asked about${cost}. ${NEXT[wantedFor]}`;
}
