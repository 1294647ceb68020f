import { useRef } from 'preact/hooks';
import { ActionButton } from '../../parts/action.js';
import { Facts } from '../../parts/facts.js';
import { count, counted } from '../../parts/figures.js';
import { api, take } from '../../shell/api.js';
import { session } from '../../shell/session.js';
import type { Batch } from './state-name.js';

interface HeldBatchProps {
  readonly batch: Batch;
  readonly onStart: () => Promise<void>;
}

/** The price before the work. */
export function HeldBatch({ batch: { id, quote }, onStart }: HeldBatchProps) {
  // One for every try, so that a second click pays nothing twice.
  const idempotencyKey = useRef(crypto.randomUUID());
  const isSimulated = session.value?.simulated === true;
  if (quote === null) return null;
  const start = async () => {
    await take(
      api.POST('/api/v1/verify/batch/{id}/start', {
        params: { path: { id }, header: { 'Idempotency-Key': idempotencyKey.current } },
        body: { max_credits: quote.max_credits },
      }),
    );
    await onStart();
  };
  return (
    <section class="card" aria-labelledby="quote">
      <h2 id="quote">
        At most {counted(quote.max_credits, 'credit')}
        {isSimulated && ' with a live key, nothing in test mode'}
      </h2>
      <Facts
        of={[
          ['Rows', count(quote.rows)],
          ['Different addresses', count(quote.unique_emails)],
          ['Duplicates, free', count(quote.duplicates)],
          ['Not addresses, free', count(quote.malformed)],
          quote.reusable > 0 ? ['Known already, free', count(quote.reusable)] : null,
          ['Balance after it, at least', count(quote.balance_after)],
        ]}
      />
      <p>
        Every answer of <span class="unknown">unknown</span> is given back. You never pay more than the sum above.
      </p>
      {quote.balance_after < 0 && <p class="error">The balance is too small for this list.</p>}
      <ActionButton class="primary" onAct={start} disabled={quote.balance_after < 0}>
        Start
      </ActionButton>
      <p class="hint">Not started, it is deleted after 24 hours, for nothing.</p>
    </section>
  );
}
