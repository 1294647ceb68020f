import { useSignal } from '@preact/signals';
import { ActionButton, SelectField } from '../parts/form.js';
import { AccountLink } from './accounts-screen.js';
import { Time } from '../parts/values.js';
import { Listing } from '../parts/listing.js';
import { adminApi } from '../session/api.js';

type BatchState = 'held' | 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled';
const BATCH_STATES: readonly BatchState[] = ['processing', 'queued', 'failed', 'held', 'completed', 'cancelled'];
type DeliveryOutcome = 'pending' | 'succeeded' | 'failed';

/** Batches of all accounts, and those that failed tried again. */
export function AllBatchesScreen() {
  const status = useSignal<'' | BatchState>('');
  const changed = useSignal(0);
  return (
    <>
      <h1>Batches of all accounts</h1>
      <SelectField label="State" value={status} options={[['', 'all'], ...BATCH_STATES]} />
      <Listing
        label="Batches"
        on={[status.value, changed.value]}
        load={(page) => adminApi.get('/admin/v1/batches', page({ status: status.value || undefined }))}
        rows="batches"
        empty="No batch"
        columns={{
          Batch: ({ id, test }) => `${id}${test ? ' (test)' : ''}`,
          Account: (one) => <AccountLink id={one.account_id} />,
          State: ({ status }) => status,
          Addresses: (one) => one.total_emails,
          Answered: ({ counts }) => counts.valid + counts.invalid + counts.risky + counts.unknown,
          Credits: (one) => one.credits_charged,
          Sent: (one) => <Time at={one.created_at} />,
          Ended: (one) => <Time at={one.completed_at} none="not yet" />,
          '': ({ id, status }) =>
            status === 'failed' && (
              <ActionButton
                class="small"
                onAct={() => adminApi.post('/admin/v1/batches/{id}/retry', { path: { id } })}
                said={`Batch ${id} is worked again.`}
                onDone={() => changed.value++}
              >
                Try again
              </ActionButton>
            ),
        }}
      />
    </>
  );
}

/** Deliveries of all accounts, and those that failed sent again. */
export function AllDeliveriesScreen() {
  const status = useSignal<'' | DeliveryOutcome>('');
  const changed = useSignal(0);
  return (
    <>
      <h1>Deliveries of all accounts</h1>
      <SelectField label="State" value={status} options={[['', 'all'], 'failed', 'pending', 'succeeded']} />
      <Listing
        label="Deliveries"
        on={[status.value, changed.value]}
        load={(page) => adminApi.get('/admin/v1/deliveries', page({ status: status.value || undefined }))}
        rows="deliveries"
        empty="No delivery"
        columns={{
          When: (one) => <Time at={one.created_at} />,
          Account: (one) => <AccountLink id={one.account_id} />,
          Event: ({ type }) => type,
          URL: ({ url, enabled }) => <span class="long">{enabled ? url : `${url} (off)`}</span>,
          State: ({ status }) => status,
          Attempts: ({ attempts }) => attempts,
          'Last answer': (one) => String(one.last_status ?? one.last_error ?? ''),
          Due: (one) => <Time at={one.due_at} none="no more" />,
          '': ({ id, status }) =>
            status === 'failed' && (
              <ActionButton
                class="small"
                onAct={() => adminApi.post('/admin/v1/deliveries/{id}/retry', { path: { id } })}
                said="It is sent again."
                onDone={() => changed.value++}
              >
                Send again
              </ActionButton>
            ),
        }}
      />
    </>
  );
}
