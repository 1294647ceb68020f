import { useRef } from 'preact/hooks';
import { ActionButton } from '../parts/action.js';
import { Facts } from '../parts/facts.js';
import { count, counted, percent } from '../parts/figures.js';
import { api, take } from '../session/api.js';
import { session } from '../session/session.js';
import { type Batch, moves } from './batch.js';
import { Countdown, Time } from '../parts/time.js';
import { CountsBar, CountsTable } from '../parts/verdict-counts.js';

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
        of={{
          Rows: count(quote.rows),
          'Different addresses': count(quote.unique_emails),
          'Duplicates, free': count(quote.duplicates),
          'Not addresses, free': count(quote.malformed),
          'Known already, free': quote.reusable > 0 ? count(quote.reusable) : null,
          'Balance after it, at least': count(quote.balance_after),
        }}
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

interface BatchProgressProps {
  readonly batch: Batch;
  readonly rate: number | null;
  readonly onChange: () => Promise<void>;
}

/** What a person wants to know who waits: how far, how fast, how long, how much. */
export function BatchProgress({ batch, rate, onChange }: BatchProgressProps) {
  const { id, total_emails: total, processed, progress, counts, estimated_completion_at: end, waiting } = batch;
  const cancel = async () => {
    const params = { params: { path: { id } } };
    // The same request deletes a list that has ended, which may be newer than what is on the screen.
    const { status } = await take(api.GET('/api/v1/verify/batch/{id}', params));
    if (moves(status)) await take(api.DELETE('/api/v1/verify/batch/{id}', params));
    await onChange();
  };
  return (
    <>
      <section class="card" aria-labelledby="progress">
        <h2 id="progress">
          {count(processed)} of {counted(total, 'row')}
        </h2>
        <progress aria-labelledby="progress" max={Math.max(1, total)} value={processed} />
        <Facts
          of={{
            Done: percent(progress),
            'Rows a second': rate === null ? null : count(Math.round(rate)),
            'Ready in about': end && (
              <>
                <Countdown until={end} over="a moment" /> (<Time at={end} />)
              </>
            ),
            Waiting: waiting && (
              <>
                {counted(waiting.count, 'address', 'addresses')} whose servers want to be asked again (
                {Object.entries(waiting.reasons)
                  .map(([word, rows]) => `${word.replaceAll('_', ' ')}: ${count(rows)}`)
                  .join(', ')}
                ), next in <Countdown until={waiting.next_try_at} over="a moment" />, until <Time at={waiting.until} />{' '}
                at most
              </>
            ),
            'Charged so far': `${count(batch.credits_charged)} of ${count(batch.credits_reserved)} reserved`,
          }}
        />
        <ActionButton onAct={cancel}>Cancel, and keep what is done</ActionButton>
        <p class="hint">You may close this page: the list goes on.</p>
      </section>
      <CountsBar counts={counts} total={processed} />
      <CountsTable label="Verdicts so far" counts={counts} total={processed} />
    </>
  );
}
