import { useLocation, useRoute } from 'preact-iso';
import { useEffect, useRef } from 'preact/hooks';
import { count, Countdown, counted, Facts, percent, Time } from '../parts/values.js';
import { Empty, Listing, type Part, Section, useLoad, Waiting } from '../parts/listing.js';
import { CountsBar, CountsTable } from '../parts/verdict-counts.js';
import { api } from '../session/api.js';
import { type Batch, moves, StateName, useBatch, type Watched } from './batch.js';
import { FailedScreen, type Failure, FailureNote } from '../parts/failure.js';
import { may, session } from '../session/session.js';
import { BatchEnd } from './batch-end.js';
import { Confirm, Opener, Question } from '../parts/dialog.js';
import { ActionButton } from '../parts/form.js';

/** Every list that was sent and is still kept, newest first. */
export function BatchListScreen() {
  return (
    <>
      <div class="title-line">
        <h1>Lists</h1>
        <a class="button primary" href="/console/upload">
          New list
        </a>
      </div>
      <Listing
        label="Lists"
        load={(page) => api.get('/api/v1/verify/batch', page({ limit: 50 }))}
        rows="batches"
        empty={
          <Empty title="No list yet">
            <p>Drop an Excel or CSV file, see what it costs, and start it when you like the price.</p>
            <a class="button primary" href="/console/upload">
              New list
            </a>
          </Empty>
        }
        columns={{
          Name: ({ id, name }) => <a href={`/console/batches/${id}`}>{name ?? `List ${id}`}</a>,
          State: ({ status, progress }) => <StateName status={status} progress={progress} />,
          Rows: ({ total_emails: total }) => total,
          Verdicts: ({ counts, processed }) => (
            <>
              <CountsBar counts={counts} total={processed} />
              <span class="visually-hidden">
                {counts.valid} valid, {counts.risky} risky, {counts.unknown} unknown, {counts.invalid} invalid
              </span>
            </>
          ),
          Charged: ({ credits_charged: charged }) => charged,
          Sent: ({ created_at: at }) => <Time at={at} />,
        }}
      />
    </>
  );
}

/** One list, from its price to its results. */
export function BatchScreen() {
  const id = Number(useRoute().params['id']);
  const { data, failure, reload, rate } = useBatch(id);
  const batch = data.value;
  if (batch === null) {
    if (failure.value === null) return <Waiting />;
    if (failure.value.status === 404 && may('finder')) return <SearchOr failure={failure.value} id={id} key={id} />;
    return (
      <FailedScreen title="List" failure={failure.value} onRetry={reload} to="/console/batches" toTitle="All lists" />
    );
  }
  return (
    <>
      <div class="title-line">
        <h1>{batch.name ?? `List ${id}`}</h1>
        {!moves(batch.status) && (
          <Opener action="Delete" title="Delete this list?" class="danger">
            {(close) => <DeleteBatch batch={batch} onClose={close} />}
          </Opener>
        )}
      </div>
      <p class="hint">
        <StateName status={batch.status} progress={batch.progress} />. Sent <Time at={batch.created_at} />
        {batch.completed_at !== null && (
          <>
            , ended <Time at={batch.completed_at} />
          </>
        )}
        .
      </p>
      <FailureNote failure={failure.value} />
      {batch.status === 'held' && <HeldBatch of={batch} onChanged={reload} />}
      {moves(batch.status) && <BatchProgress of={batch} rate={rate} onChanged={reload} />}
      {!moves(batch.status) && batch.status !== 'held' && <BatchEnd batch={batch} />}
    </>
  );
}

/** Batches and searches are numbered together, and an event or the ledger names no more than the number. */
function SearchOr({ failure, id }: { readonly failure: Failure; readonly id: number }) {
  const { route } = useLocation();
  const { data, isLoading } = useLoad((signal) => api.get('/api/v1/finder/batch/{id}', { path: { id }, signal }), [id]);
  const isThere = data.value !== null;
  useEffect(() => {
    if (isThere) route(`/console/searches/${id}`, true);
  }, [isThere]);
  return isThere || isLoading.value ? (
    <Waiting />
  ) : (
    <FailedScreen title="List" failure={failure} to="/console/batches" toTitle="All lists" />
  );
}

function DeleteBatch({ batch, onClose }: { readonly batch: Batch; readonly onClose: () => void }) {
  const { id, name, total_emails: rows } = batch;
  const { route } = useLocation();
  return (
    <Question
      action="Delete for ever"
      onAct={() => api.delete('/api/v1/verify/batch/{id}', { path: { id } })}
      said="The list is deleted."
      onDone={() => route('/console/batches')}
      onClose={onClose}
    >
      <p>
        {name ?? `List ${id}`}: {counted(rows, 'row')}, their columns and their results are deleted for ever. What was
        charged stays in the ledger, without addresses.
      </p>
    </Question>
  );
}

/** A list with a larger share of what is no address was read from a wrong column, or from a wrong file. */
const MAX_MALFORMED = 0.1;

/** The price before the work. */
function HeldBatch({ of: { id, quote }, onChanged }: Part<Batch>) {
  // One for every try, so that a second click pays nothing twice.
  const idempotencyKey = useRef(crypto.randomUUID());
  const isSimulated = session.value?.simulated === true;
  if (quote === null) return null;
  const isMostlyWrong = quote.malformed > quote.unique_emails * MAX_MALFORMED;
  const start = async () => {
    await api.post('/api/v1/verify/batch/{id}/start', {
      path: { id },
      header: { 'Idempotency-Key': idempotencyKey.current },
      body: { max_credits: quote.max_credits },
    });
    await onChanged();
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
      {isMostlyWrong && (
        <p class="error" role="alert">
          {count(quote.malformed)} of {counted(quote.unique_emails, 'different entry', 'different entries')} are not
          email addresses. Is this the right column? If not, <a href="/console/upload">send the list again</a> and
          choose another.
        </p>
      )}
      {quote.balance_after < 0 && <p class="error">The balance is too small for this list.</p>}
      {isMostlyWrong ? (
        <Confirm action="Start anyway" onAct={start} said="The list has started.">
          <p>
            {count(quote.malformed)} entries will be <span class="invalid">invalid</span>, for nothing; the others are
            checked.
          </p>
        </Confirm>
      ) : (
        <ActionButton class="primary" onAct={start} disabled={quote.balance_after < 0}>
          Start
        </ActionButton>
      )}
      <p class="hint">If you do not start it, the list is deleted after 24 hours. You pay nothing.</p>
    </section>
  );
}

/** What a person wants to know who waits: how far, how fast, how long, how much. */
function BatchProgress({ of: batch, rate, onChanged }: Part<Batch> & Pick<Watched, 'rate'>) {
  const { id, total_emails: total, processed, progress, counts, estimated_completion_at: end, waiting } = batch;
  const cancel = async () => {
    const list = { path: { id } };
    // The same request deletes a list that has ended, which may be newer than what is on the screen.
    const { status } = await api.get('/api/v1/verify/batch/{id}', list);
    if (moves(status)) await api.delete('/api/v1/verify/batch/{id}', list);
    await onChanged();
  };
  return (
    <>
      <Section id="progress" title={`${count(processed)} of ${counted(total, 'row')}`} class="card">
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
      </Section>
      <CountsBar counts={counts} total={processed} />
      <CountsTable label="Verdicts so far" counts={counts} total={processed} />
    </>
  );
}
