import REASONS from '../../../../config/reasons.json';
import type { components as Account } from '../../../client/documents/account.js';

/** A verdict as full accounts get it. */
export type Verification = Omit<Account['schemas']['FullVerificationReply'], 'suppressed'>;

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

/** Such as `Mailbox exists`. */
export const reasonName = (reason: string): string => {
  const words = reason.replaceAll('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
};

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
        <dd>{reasonName(reason)}</dd>
        <dt>Confidence</dt>
        <dd>{Math.round(confidence * 100)}%</dd>
        <dt>Cost</dt>
        <dd>{verification.credits_charged === 0 ? 'free' : `${verification.credits_charged} credit`}</dd>
      </dl>
    </div>
  );
}

/** What settled it without a reply of a mail server, by the word that the service has for it. */
const SENTENCES: Readonly<Record<string, string>> = {
  empty: 'There is nothing between the spaces.',
  no_at_sign: 'It has no @.',
  control_character: 'It has a character that cannot be seen, such as a line break.',
  too_long: 'It is longer than an address may be.',
  local_part_empty: 'Nothing stands before the @.',
  local_part_too_long: 'What stands before the @ is too long.',
  local_part_malformed: 'What stands before the @ has a character or a dot where none may be.',
  domain_empty: 'Nothing stands after the @.',
  domain_too_long: 'The domain is too long.',
  domain_malformed: 'The domain is not written as domains are.',
  domain_literal_malformed: 'What stands in brackets after the @ is no IP address.',
  servfail: 'The name servers of the domain gave no answer that could be used.',
  timeout: 'There was no answer in time.',
  untrusted: 'Our own DNS resolver gives false answers at the moment, so it was not believed.',
  unreachable: 'The mail server could not be reached.',
  refused: 'The mail server took no connection.',
  closed: 'The mail server ended the connection.',
  protocol: 'The mail server did not speak SMTP as it should.',
  port25_blocked: 'The network that we ask from lets nothing out on port 25.',
  circuit_open: 'We leave this mail operator alone for a while, because it refused us before.',
  no_address: 'The mail servers have no IP address.',
  unroutable: 'The mail servers have no address that can be reached over the internet.',
};

/** A word without a sentence of its own says nothing to a reader that the verdict does not say. */
function sentenceOf(text: string | null): string | null {
  if (text === null || text === '') return null;
  return SENTENCES[text] ?? (/^[a-z0-9_]+$/.test(text) ? null : `What we noted: ${text}`);
}

/** The question and the answer that settled it (RFC 5321 section 3.3). */
export function Dialogue({
  verification: { email, evidence },
}: {
  readonly verification: Pick<Verification, 'email' | 'evidence'>;
}) {
  const { stage, mx_host: host, reply_code: code, enhanced_code: enhanced, text } = evidence;
  if (host === null || code === null) {
    const happened = sentenceOf(text);
    return happened === null ? null : <p class="hint">{happened}</p>;
  }
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
