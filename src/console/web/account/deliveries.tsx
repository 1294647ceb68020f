import { useSignal } from '@preact/signals';
import { useRoute } from 'preact-iso';
import { ActionButton, ActionForm } from '../parts/action.js';
import { announce } from '../parts/announcer.js';
import { Opener } from '../parts/dialog.js';
import { CheckField, SelectField, TextField } from '../parts/field.js';
import { bytes, count, counted, HOUR_MS } from '../parts/figures.js';
import { Empty, PagedTable, Unloaded } from '../parts/paged-table.js';
import { Time } from '../parts/time.js';
import { api, take } from '../session/api.js';
import { linkTo } from '../parts/link.js';
import { type Delivery, DeliveryState } from './webhooks-screen.js';
import { Code } from '../parts/code.js';
import { Facts } from '../parts/facts.js';
import { useLoad } from '../parts/load.js';

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
      <PagedTable
        label="Deliveries"
        on={[id, status.value, on, looked.value]}
        load={(cursor, signal) =>
          take(
            api.GET('/api/v1/webhooks/{id}/deliveries', {
              params: { path: { id }, query: { cursor, ...(status.value !== '' && { status: status.value }) } },
              signal,
            }),
          )
        }
        rows={(page) => page.deliveries}
        keyOf={(delivery) => delivery.id}
        empty={<Empty title="No delivery to show" />}
        columns={[
          { name: 'When', cell: (one) => <Time at={one.created_at} /> },
          {
            name: 'Event',
            cell: (one) => (
              <a href={linkTo(`/deliveries/${one.id}`)}>
                {one.type}
                {one.sample && ' (sample)'}
              </a>
            ),
          },
          { name: 'State', cell: (one) => <DeliveryState state={one.status} /> },
          { name: 'Answer', cell: lastAnswer },
          { name: 'Attempts', cell: (one) => one.attempts.length, isNumber: true },
          { name: 'Next attempt', cell: (one) => <Time at={one.next_attempt_at} none="none" /> },
        ]}
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
  const replay = async (close: () => void) => {
    const body = {
      since: new Date(since.value).toISOString(),
      until: new Date(Math.min(Date.parse(until.value), Date.now())).toISOString(),
      include_succeeded: includesSucceeded.value,
    };
    const { redelivered } = await take(api.POST('/api/v1/webhooks/{id}/redeliver', { params: { path: { id } }, body }));
    close();
    announce(`${counted(redelivered, 'delivery', 'deliveries')} will be sent again.`);
    onDone();
  };
  return (
    <Opener action="Send a time range again">
      {(close) => (
        <ActionForm action="Send again" onAct={() => replay(close)}>
          <p>What happened in that time and has not succeeded is sent again, oldest first.</p>
          <TextField label="Since" type="datetime-local" value={since} required />
          <TextField label="Until" type="datetime-local" value={until} required />
          <CheckField label="Also what has succeeded" value={includesSucceeded} />
        </ActionForm>
      )}
    </Opener>
  );
}

/** One event for one endpoint, with what was sent and what was answered at each attempt. */
export function DeliveryScreen() {
  const id = useRoute().params['id'] ?? '';
  const path = { id };
  const loaded = useLoad(
    (signal) => take(api.GET('/api/v1/webhooks/deliveries/{id}', { params: { path }, signal })),
    [id],
  );
  const { data, failure, reload } = loaded;
  const delivery = data.value;
  if (delivery === null || failure.value !== null)
    return <Unloaded of={loaded} title="Delivery" to={linkTo('/webhooks')} toTitle="All endpoints" />;
  const again = async () => {
    await take(api.POST('/api/v1/webhooks/deliveries/{id}/redeliver', { params: { path } }));
    announce('It will be sent again.');
    await reload();
  };
  return (
    <>
      <p>
        <a href={linkTo(`/webhooks/${delivery.webhook_id}`)}>The endpoint</a>
      </p>
      <h1>{delivery.type}</h1>
      <div class="card">
        <Facts
          of={{
            State: <DeliveryState state={delivery.status} />,
            'Message id': <code>{delivery.message_id}</code>,
            Batch: delivery.batch_id && <a href={linkTo(`/batches/${delivery.batch_id}`)}>{delivery.batch_id}</a>,
            Happened: <Time at={delivery.created_at} />,
            'Next attempt': delivery.next_attempt_at && <Time at={delivery.next_attempt_at} />,
            Ended: delivery.finished_at && <Time at={delivery.finished_at} />,
          }}
        />
      </div>
      <div class="actions">
        <ActionButton class="primary" onAct={again}>
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
