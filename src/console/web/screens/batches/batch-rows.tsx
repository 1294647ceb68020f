import { useSignal } from '@preact/signals';
import { Dialog } from '../../parts/dialog.js';
import { Empty, PagedTable } from '../../parts/paged-table.js';
import { ACTIONS, VerificationCard } from '../../parts/verification.js';
import { type Account, api, take } from '../../shell/api.js';
import { queryOf, type RowFilter } from './row-filter.js';

type Row = Account['schemas']['FullRow'];

type Results = Account['schemas']['ResultsReply'];

const ROWS_PAGE_SIZE = 50;

interface BatchRowsProps {
  readonly id: number;
  readonly filter: RowFilter;
}

/** Rows in the order in which they were sent; a click shows what the mail server said. */
export function BatchRows({ id, filter }: BatchRowsProps) {
  const open = useSignal<Row | null>(null);
  return (
    <>
      <PagedTable<Row>
        label="Rows"
        on={[id, filter]}
        keyOf={({ request_id: request, email }) => `${request} ${email}`}
        load={async (cursor, signal) => {
          const query = { limit: ROWS_PAGE_SIZE, ...queryOf(filter), ...(cursor !== undefined && { cursor }) };
          const asked = api.GET('/api/v1/verify/batch/{id}/results', { params: { path: { id }, query }, signal });
          // JSON, since no other format is asked for.
          const page = (await take(asked)) as Results;
          return { rows: page.results.filter(isAnswered), nextCursor: page.next_cursor };
        }}
        empty={<Empty title="No row is like that" />}
        columns={[
          {
            name: 'Address',
            cell: (row) => (
              <button type="button" class="quiet small mono" onClick={() => (open.value = row)}>
                {row.email}
              </button>
            ),
          },
          { name: 'Verdict', cell: (row) => <span class={`badge ${row.verdict}`}>{row.verdict}</span> },
          { name: 'Do', cell: ({ action }) => <span class="nowrap">{ACTIONS[action] ?? action}</span> },
          { name: 'Reason', cell: ({ reason }) => <span class="mono">{reason}</span> },
          { name: 'Mail operator', cell: ({ provider }) => provider ?? '' },
        ]}
      />
      {open.value !== null && (
        <Dialog title={open.value.email} onClose={() => (open.value = null)}>
          <VerificationCard verification={open.value} />
        </Dialog>
      )}
    </>
  );
}

const isAnswered = (row: Row | Account['schemas']['PendingRow']): row is Row => row.verdict !== null;
