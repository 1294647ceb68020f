import { useSignal } from '@preact/signals';
import { ActionButton } from '../parts/action.js';
import { announce } from '../parts/announcer.js';
import { SelectField } from '../parts/field.js';
import { count } from '../parts/figures.js';
import { Empty, PagedTable } from '../parts/paged-table.js';
import { Time } from '../parts/time.js';
import { adminApi, take } from '../session/api.js';
import { linkTo } from '../parts/link.js';

type BatchState = 'held' | 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled';
const BATCH_STATES: readonly BatchState[] = ['processing', 'queued', 'failed', 'held', 'completed', 'cancelled'];
type DeliveryOutcome = 'pending' | 'succeeded' | 'failed';

/** Batches of all accounts, and those that failed tried again. */
export function AllBatchesScreen() {
  const status = useSignal<'' | BatchState>('');
  const changed = useSignal(0);
  const retry = async (id: number) => {
    await take(adminApi.POST('/admin/v1/batches/{id}/retry', { params: { path: { id } } }));
    announce(`Batch ${id} is worked again.`);
    changed.value++;
  };
  return (
    <>
      <h1>Batches of all accounts</h1>
      <SelectField label="State" value={status} options={[['', 'all'], ...BATCH_STATES]} />
      <PagedTable
        label="Batches"
        on={[status.value, changed.value]}
        load={(cursor, signal) =>
          take(
            adminApi.GET('/admin/v1/batches', {
              params: { query: { cursor, ...(status.value !== '' && { status: status.value }) } },
              signal,
            }),
          )
        }
        rows={(page) => page.batches}
        keyOf={({ id }) => id}
        empty={<Empty title="No batch" />}
        columns={[
          { name: 'Batch', cell: ({ id, test }) => (test ? `${id} (test)` : id) },
          {
            name: 'Account',
            cell: (one) => <a href={linkTo(`/accounts/${one.account_id}`)}>{one.account_id.slice(0, 8)}</a>,
          },
          { name: 'State', cell: ({ status }) => status },
          { name: 'Addresses', cell: (one) => count(one.total_emails), isNumber: true },
          {
            name: 'Answered',
            cell: ({ counts }) => count(counts.valid + counts.invalid + counts.risky + counts.unknown),
            isNumber: true,
          },
          { name: 'Credits', cell: (one) => count(one.credits_charged), isNumber: true },
          { name: 'Sent', cell: (one) => <Time at={one.created_at} /> },
          { name: 'Ended', cell: (one) => <Time at={one.completed_at} none="not yet" /> },
          {
            name: '',
            cell: ({ id, status }) =>
              status === 'failed' && (
                <ActionButton class="small" onAct={() => retry(id)}>
                  Try again
                </ActionButton>
              ),
          },
        ]}
      />
    </>
  );
}

/** Deliveries of all accounts, and those that failed sent again. */
export function AllDeliveriesScreen() {
  const status = useSignal<'' | DeliveryOutcome>('');
  const changed = useSignal(0);
  const retry = async (id: string) => {
    await take(adminApi.POST('/admin/v1/deliveries/{id}/retry', { params: { path: { id } } }));
    announce('It is sent again.');
    changed.value++;
  };
  return (
    <>
      <h1>Deliveries of all accounts</h1>
      <SelectField label="State" value={status} options={[['', 'all'], 'failed', 'pending', 'succeeded']} />
      <PagedTable
        label="Deliveries"
        on={[status.value, changed.value]}
        load={(cursor, signal) =>
          take(
            adminApi.GET('/admin/v1/deliveries', {
              params: { query: { cursor, ...(status.value !== '' && { status: status.value }) } },
              signal,
            }),
          )
        }
        rows={(page) => page.deliveries}
        keyOf={({ id }) => id}
        empty={<Empty title="No delivery" />}
        columns={[
          { name: 'When', cell: (one) => <Time at={one.created_at} /> },
          {
            name: 'Account',
            cell: (one) => <a href={linkTo(`/accounts/${one.account_id}`)}>{one.account_id.slice(0, 8)}</a>,
          },
          { name: 'Event', cell: ({ type }) => type },
          { name: 'URL', cell: ({ url, enabled }) => <span class="long">{enabled ? url : `${url} (off)`}</span> },
          { name: 'State', cell: ({ status }) => status },
          { name: 'Attempts', cell: ({ attempts }) => attempts, isNumber: true },
          { name: 'Last answer', cell: (one) => one.last_status ?? one.last_error ?? '' },
          { name: 'Due', cell: (one) => <Time at={one.due_at} none="no more" /> },
          {
            name: '',
            cell: ({ id, status }) =>
              status === 'failed' && (
                <ActionButton class="small" onAct={() => retry(id)}>
                  Send again
                </ActionButton>
              ),
          },
        ]}
      />
    </>
  );
}
