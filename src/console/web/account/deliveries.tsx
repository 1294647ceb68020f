import { useSignal } from '@preact/signals';
import { useRoute } from 'preact-iso';
import { FormDialog } from '../parts/dialog.js';
import { ActionButton, CheckField, SelectField, TextField } from '../parts/form.js';
import { bytes, count, counted, Facts, HOUR_MS, Time } from '../parts/values.js';
import { Listing, Unloaded, useLoad } from '../parts/listing.js';
import { api } from '../session/api.js';
import { type Delivery, DeliveryState } from './webhooks-screen.js';
import { Code } from '../parts/code.js';

type Filter = '' | Delivery['status'];

interface DeliveriesProps {
  /** Of the endpoint. */
  readonly id: string;
  /** Changes when something was sent. */
  readonly on: number;
}

/** What was sent to an endpoint, newest first, and sending it again. */
export function DeliveriesSection({ id, on }: DeliveriesProps) {
  const status = useSignal<Filter>('');
  const looked = useSignal(0);
  return (
    <section aria-labelledby="deliveries">
      <div class="title-line">
        <h2 id="deliveries">Deliveries</h2>
        <span class="actions">
          <button type="button" onClick={() => looked.value++}>
            Look again
          </button>
          <Replay id={id} onDone={() => looked.value++} />
        </span>
      </div>
      <SelectField label="Show" value={status} options={[['', 'all'], 'failed', 'pending', 'succeeded']} />
      <Listing
        label="Deliveries"
        on={[id, status.value, on, looked.value]}
        load={(page) => {
          const query = { status: status.value || undefined };
          return api.get('/api/v1/webhooks/{id}/deliveries', { path: { id }, ...page(query) });
        }}
        rows="deliveries"
        empty="No delivery to show"
        columns={{
          When: (one) => <Time at={one.created_at} />,
          Event: (one) => (
            <a href={`/console/deliveries/${one.id}`}>
              {one.type}
              {one.sample && ' (sample)'}
            </a>
          ),
          State: (one) => <DeliveryState state={one.status} />,
          Answer: lastAnswer,
          Attempts: (one) => one.attempts.length,
          'Next attempt': (one) => <Time at={one.next_attempt_at} none="none" />,
        }}
      />
    </section>
  );
}

export function lastAnswer({ attempts }: Pick<Delivery, 'attempts'>): string {
  const last = attempts.at(-1);
  return last === undefined ? '' : String(last.status ?? last.error ?? '');
}

/** Times are entered in the reader's zone. */
const localTime = (ms: number): string => {
  const date = new Date(ms);
  return new Date(ms - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

function Replay({ id, onDone }: { readonly id: string; readonly onDone: () => void }) {
  const since = useSignal(localTime(Date.now() - 24 * HOUR_MS));
  const until = useSignal(localTime(Date.now() + HOUR_MS));
  const includesSucceeded = useSignal(false);
  const replay = async () => {
    const body = {
      since: new Date(since.value).toISOString(),
      until: new Date(Math.min(Date.parse(until.value), Date.now())).toISOString(),
      include_succeeded: includesSucceeded.value,
    };
    const { redelivered } = await api.post('/api/v1/webhooks/{id}/redeliver', { path: { id }, body });
    return `${counted(redelivered, 'delivery', 'deliveries')} will be sent again.`;
  };
  return (
    <FormDialog action="Send a time range again" submit="Send again" onAct={replay} onDone={onDone}>
      <p>What happened in that time and has not succeeded is sent again, oldest first.</p>
      <TextField label="Since" type="datetime-local" value={since} required />
      <TextField label="Until" type="datetime-local" value={until} required />
      <CheckField label="Also what has succeeded" value={includesSucceeded} />
    </FormDialog>
  );
}

/** One event for one endpoint, with what was sent and what was answered at each attempt. */
export function DeliveryScreen() {
  const id = useRoute().params['id'] ?? '';
  const path = { id };
  const loaded = useLoad((signal) => api.get('/api/v1/webhooks/deliveries/{id}', { path, signal }), [id]);
  const { data, failure, reload } = loaded;
  const delivery = data.value;
  if (delivery === null || failure.value !== null)
    return <Unloaded of={loaded} title="Delivery" to="/console/webhooks" toTitle="All endpoints" />;
  return (
    <>
      <p>
        <a href={`/console/webhooks/${delivery.webhook_id}`}>The endpoint</a>
      </p>
      <h1>{delivery.type}</h1>
      <div class="card">
        <Facts
          of={{
            State: <DeliveryState state={delivery.status} />,
            'Message id': <code>{delivery.message_id}</code>,
            Batch: delivery.batch_id && <a href={`/console/batches/${delivery.batch_id}`}>{delivery.batch_id}</a>,
            Happened: <Time at={delivery.created_at} />,
            'Next attempt': delivery.next_attempt_at && <Time at={delivery.next_attempt_at} />,
            Ended: delivery.finished_at && <Time at={delivery.finished_at} />,
          }}
        />
      </div>
      <div class="actions">
        <ActionButton
          class="primary"
          onAct={() => api.post('/api/v1/webhooks/deliveries/{id}/redeliver', { path })}
          said="It will be sent again."
          onDone={reload}
        >
          Send it again
        </ActionButton>
        <ActionButton onAct={reload}>Look again</ActionButton>
      </div>
      <h2>Attempts</h2>
      {delivery.attempts.length === 0 && <p class="hint">None yet.</p>}
      {delivery.attempts.toReversed().map((attempt) => (
        <AttemptCard key={attempt.number} of={attempt} />
      ))}
    </>
  );
}

const headerLines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

function AttemptCard({ of: attempt }: { readonly of: Delivery['attempts'][number] }) {
  const isGood = attempt.status !== null && attempt.status >= 200 && attempt.status < 300;
  return (
    <article class="card" aria-label={`Attempt ${attempt.number}`}>
      <h3>
        Attempt {attempt.number}{' '}
        <span class={`badge ${isGood ? 'valid' : 'invalid'}`}>{attempt.status ?? attempt.error ?? 'no answer'}</span>
      </h3>
      <p class="hint">
        <Time at={attempt.at} />, after {count(attempt.latency_ms)} ms
        {attempt.status !== null && attempt.error !== null && `, ${attempt.error}`}
      </p>
      {attempt.reply === '' ? (
        <p class="hint">It answered without a body.</p>
      ) : (
        <Code label="Its answer, the first 1 KiB" text={attempt.reply} />
      )}
      {attempt.request === null ? (
        <p class="hint">No request could be made.</p>
      ) : (
        <details>
          <summary>What was sent, {bytes(attempt.request.body_bytes)}</summary>
          <Code label="Headers of the request" text={headerLines(attempt.request.headers)} />
          {attempt.request.body === null ? (
            <p class="hint">Its body is no longer kept as it was sent: its list or an address in it was deleted.</p>
          ) : (
            <Code label="Body of the request, the first 4,096 characters" text={attempt.request.body} />
          )}
          <p class="hint">The signature is masked: who has it could send this request in our name.</p>
        </details>
      )}
    </article>
  );
}
