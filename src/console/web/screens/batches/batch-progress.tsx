import { ActionButton } from '../../parts/action.js';
import { Facts } from '../../parts/facts.js';
import { count, counted, percent } from '../../parts/figures.js';
import { Countdown, Time } from '../../parts/time.js';
import { CountsBar, CountsTable } from '../../parts/verdict-counts.js';
import { api, take } from '../../shell/api.js';
import { type Batch, moves } from './state-name.js';

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
          of={[
            ['Done', percent(progress)],
            rate === null ? null : ['Rows a second', count(Math.round(rate))],
            end === null
              ? null
              : [
                  'Ready in about',
                  <>
                    <Countdown until={end} over="a moment" /> (<Time at={end} />)
                  </>,
                ],
            waiting === null
              ? null
              : [
                  'Waiting',
                  <>
                    {counted(waiting.count, 'address', 'addresses')} whose servers want to be asked again (
                    {Object.entries(waiting.reasons)
                      .map(([word, rows]) => `${word.replaceAll('_', ' ')}: ${count(rows)}`)
                      .join(', ')}
                    ), next in <Countdown until={waiting.next_try_at} over="a moment" />, until{' '}
                    <Time at={waiting.until} /> at most
                  </>,
                ],
            ['Charged so far', `${count(batch.credits_charged)} of ${count(batch.credits_reserved)} reserved`],
          ]}
        />
        <ActionButton onAct={cancel}>Cancel, and keep what is done</ActionButton>
        <p class="hint">You may close this page: the list goes on.</p>
      </section>
      <CountsBar counts={counts} total={processed} />
      <CountsTable label="Verdicts so far" counts={counts} total={processed} />
    </>
  );
}
