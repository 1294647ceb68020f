import { count } from '../../parts/figures.js';
import { Empty, PagedTable } from '../../parts/paged-table.js';
import { Time } from '../../parts/time.js';
import { CountsBar } from '../../parts/verdict-counts.js';
import { api, take } from '../../shell/api.js';
import { linkTo } from '../../shell/routes.js';
import { type Batch, StateName } from './state-name.js';

/** Every list that was sent and is still kept, newest first. */
export function BatchListScreen() {
  return (
    <>
      <div class="title-line">
        <h1>Lists</h1>
        <a class="button primary" href={linkTo('/upload')}>
          New list
        </a>
      </div>
      <PagedTable<Batch>
        label="Lists"
        keyOf={({ id }) => id}
        load={async (cursor, signal) => {
          const query = { limit: 50, ...(cursor !== undefined && { cursor }) };
          const page = await take(api.GET('/api/v1/verify/batch', { params: { query }, signal }));
          return { rows: page.batches, nextCursor: page.next_cursor };
        }}
        empty={
          <Empty title="No list yet">
            <p>Drop a CSV, see what it costs, and start it when you like the price.</p>
            <a class="button primary" href={linkTo('/upload')}>
              New list
            </a>
          </Empty>
        }
        columns={[
          { name: 'Name', cell: ({ id, name }) => <a href={linkTo(`/batches/${id}`)}>{name ?? `List ${id}`}</a> },
          { name: 'State', cell: ({ status, progress }) => <StateName status={status} progress={progress} /> },
          { name: 'Rows', cell: ({ total_emails: total }) => count(total), isNumber: true },
          {
            name: 'Verdicts',
            cell: ({ counts, processed }) => (
              <>
                <CountsBar counts={counts} total={processed} />
                <span class="visually-hidden">
                  {counts.valid} valid, {counts.risky} risky, {counts.unknown} unknown, {counts.invalid} invalid
                </span>
              </>
            ),
          },
          { name: 'Charged', cell: ({ credits_charged: charged }) => count(charged), isNumber: true },
          { name: 'Sent', cell: ({ created_at: at }) => <Time at={at} /> },
        ]}
      />
    </>
  );
}
