import type { ReasonText } from '../platform/config/reason-texts.js';

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
