import REASONS from '../../../../config/reasons.json';

/** A verdict as full accounts get it; only what is shown. */
export interface Verification {
  readonly email: string;
  readonly verdict: 'valid' | 'invalid' | 'risky' | 'unknown';
  readonly reason: string;
  readonly action: string | null;
  readonly confidence: number;
  readonly did_you_mean: string | null;
  readonly credits_charged: number;
  readonly retry_after: number | null;
  readonly evidence: {
    readonly stage: string;
    readonly mx_host: string | null;
    readonly reply_code: number | null;
    readonly enhanced_code: string | null;
    readonly text: string | null;
  };
}

export const ACTIONS: Readonly<Record<string, string>> = {
  send: 'Send',
  send_with_care: 'Send with care',
  do_not_send: 'Do not send',
  retry_later: 'Try again later',
  review: 'Look at it yourself',
};

/** The words for why, each with the verdict that it explains. */
export const REASON_VERDICTS: readonly (readonly [reason: string, verdict: string])[] = Object.entries(REASONS).flatMap(
  ([reason, row]) => ('verdict' in row ? [[reason, row.verdict] as const] : []),
);

const explanationOf = (reason: string): string =>
  (REASONS as Readonly<Record<string, { explanation: string } | undefined>>)[reason]?.explanation ?? reason;

interface Shown {
  readonly verification: Verification;
  /** What a click on the suggestion does; without it there is nothing to click. */
  readonly onSuggestion?: (email: string) => void;
}

/** What to do first, then why, then what was said between us and the mail server. */
export function VerificationCard({ verification, onSuggestion }: Shown) {
  const { verdict, action, reason, confidence, did_you_mean: meant } = verification;
  return (
    <div>
      <h3 class="verdict">
        <span>{ACTIONS[action ?? ''] ?? action ?? 'No advice'}</span>
        <span class={`badge ${verdict}`}>{verdict}</span>
      </h3>
      <p>{explanationOf(reason)}</p>
      {meant !== null && (
        <p>
          Did you mean{' '}
          {onSuggestion === undefined ? (
            <strong>{meant}</strong>
          ) : (
            <button type="button" onClick={() => onSuggestion(meant)}>
              {meant}
            </button>
          )}
          ?
        </p>
      )}
      <Dialogue verification={verification} />
      <dl class="facts">
        <dt>Reason</dt>
        <dd class="mono">{reason}</dd>
        <dt>Confidence</dt>
        <dd>{Math.round(confidence * 100)}%</dd>
        <dt>Cost</dt>
        <dd>{verification.credits_charged === 0 ? 'free' : `${verification.credits_charged} credit`}</dd>
      </dl>
    </div>
  );
}

/** The question and the answer that settled it (RFC 5321 section 3.3). */
export function Dialogue({
  verification: { email, evidence },
}: {
  readonly verification: Pick<Verification, 'email' | 'evidence'>;
}) {
  const { stage, mx_host: host, reply_code: code, enhanced_code: enhanced, text } = evidence;
  if (host === null || code === null) return text === null || text === '' ? null : <p class="dialogue mono">{text}</p>;
  const question = stage === 'rcpt' ? `RCPT TO:<${email}>` : stage.toUpperCase();
  return (
    <ol class="dialogue mono" aria-label="What was said">
      <li>
        <span class="speaker">we to {host}</span>
        {question}
      </li>
      <li>
        <span class="speaker">{host}</span>
        {[code, enhanced, text].filter(Boolean).join(' ')}
      </li>
    </ol>
  );
}
