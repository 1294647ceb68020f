import { useSignal } from '@preact/signals';
import { ActionForm } from '../../parts/action.js';
import { announce } from '../../parts/announcer.js';
import { Dialog } from '../../parts/dialog.js';
import { CheckField, SelectField, TextField } from '../../parts/field.js';
import { counted, HOUR_MS } from '../../parts/figures.js';
import { Empty, PagedTable } from '../../parts/paged-table.js';
import { Time } from '../../parts/time.js';
import { api, take } from '../../shell/api.js';
import { linkTo } from '../../shell/routes.js';
import { type Delivery, DeliveryState } from './endpoint.js';

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
      <SelectField
        label="Show"
        value={status}
        options={[
          ['', 'all'],
          ['failed', 'failed'],
          ['pending', 'pending'],
          ['succeeded', 'succeeded'],
        ]}
      />
      <PagedTable
        label="Deliveries"
        on={[id, status.value, on, looked.value]}
        load={async (cursor, signal) => {
          const query = { cursor, ...(status.value !== '' && { status: status.value }) };
          const page = await take(
            api.GET('/api/v1/webhooks/{id}/deliveries', { params: { path: { id }, query }, signal }),
          );
          return { rows: page.deliveries, nextCursor: page.next_cursor };
        }}
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
  const isOpen = useSignal(false);
  const since = useSignal(localTime(Date.now() - 24 * HOUR_MS));
  const until = useSignal(localTime(Date.now() + HOUR_MS));
  const includesSucceeded = useSignal(false);
  const replay = async () => {
    const { redelivered } = await take(
      api.POST('/api/v1/webhooks/{id}/redeliver', {
        params: { path: { id } },
        body: {
          since: new Date(since.value).toISOString(),
          until: new Date(Math.min(Date.parse(until.value), Date.now())).toISOString(),
          include_succeeded: includesSucceeded.value,
        },
      }),
    );
    isOpen.value = false;
    announce(`${counted(redelivered, 'delivery', 'deliveries')} will be sent again.`);
    onDone();
  };
  return (
    <>
      <button type="button" onClick={() => (isOpen.value = true)}>
        Send a time range again
      </button>
      {isOpen.value && (
        <Dialog title="Send a time range again" onClose={() => (isOpen.value = false)}>
          <ActionForm action="Send again" onAct={replay}>
            <p>What happened in that time and has not succeeded is sent again, oldest first.</p>
            <TextField label="Since" type="datetime-local" value={since} required />
            <TextField label="Until" type="datetime-local" value={until} required />
            <CheckField
              label="Also what has succeeded"
              isChecked={includesSucceeded.value}
              onChange={(isChecked) => (includesSucceeded.value = isChecked)}
            />
          </ActionForm>
        </Dialog>
      )}
    </>
  );
}
