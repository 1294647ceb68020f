import { isUntrusted } from '../engine/judge/denied-domain.js';
import type { Verification } from '../engine/types.js';
import { untrustedSentence } from '../mail-dns/untrusted.js';
import type { ReasonText, ReasonTexts } from '../platform/config/reason-texts.js';

/** The meaning of each verdict and the advice that follows from it, for every reason. */
export const VERDICT_MEANINGS: Readonly<Record<ReasonText['verdict'], Pick<ReasonText, 'explanation' | 'action'>>> = {
  valid: { explanation: 'The mailbox exists and accepts mail. It is safe to send.', action: 'send' },
  invalid: {
    explanation: 'The address or its domain cannot receive mail. Do not send: it would bounce.',
    action: 'do_not_send',
  },
  risky: {
    explanation: 'Mail may arrive, but sending has a risk that the reason names. Send with care.',
    action: 'send_with_care',
  },
  unknown: {
    explanation:
      'The receiving server gave no answer that settles it. This says nothing against the address; a later try may settle it.',
    action: 'retry_later',
  },
};

/** What a reason means where it is known who is its cause. */
export function explanationOf(
  { reason, evidence }: Pick<Verification, 'reason' | 'evidence'>,
  reasons: ReasonTexts,
): string {
  return isUntrusted(evidence) ? untrustedSentence('verification') : reasons[reason]!.explanation;
}

/** Headers of a verdict's reply, for the documents: agents get there what their fixed body has no member for. */
export const ADVICE_HEADERS = {
  'Mailsonde-Action': {
    description:
      'What to do about the address, in one word: `send`, `send_with_care`, `review`, `retry_later` or `do_not_send`.',
    schema: { type: 'string' as const },
  },
  'Retry-After': {
    description: 'Of an `unknown` that a later try may settle: seconds until then (RFC 9110 section 10.2.3).',
    schema: { type: 'integer' as const, minimum: 1 },
  },
};

export function adviceHeaders(
  { reason, retryAfterSeconds }: Pick<Verification, 'reason' | 'retryAfterSeconds'>,
  reasons: ReasonTexts,
): Record<string, string> {
  return {
    'Mailsonde-Action': reasons[reason]!.action,
    ...(retryAfterSeconds !== null && { 'Retry-After': String(retryAfterSeconds) }),
  };
}
