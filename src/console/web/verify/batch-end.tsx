import { useSignal } from '@preact/signals';
import { announce } from '../parts/announcer.js';
import { Facts } from '../parts/facts.js';
import { SelectField } from '../parts/field.js';
import { count } from '../parts/figures.js';
import { useLoad } from '../parts/load.js';
import { Time } from '../parts/time.js';
import { ACTIONS, REASON_VERDICTS, VerificationCard } from '../parts/verification.js';
import { CountsBar, CountsTable } from '../parts/verdict-counts.js';
import { type Account, api, take } from '../session/api.js';
import { may } from '../session/session.js';
import { BatchSummary } from './batch-summary.js';
import { ALL_ROWS, queryOf, type RowFilter, RowFilters, sentenceOf } from './row-filters.js';
import { ScheduleOfList } from './schedule.js';
import type { Batch } from './batch.js';
import { Dialog } from '../parts/dialog.js';
import { Empty, PagedTable } from '../parts/paged-table.js';

const FORMATS = [
  ['csv', 'CSV, in your own layout'],
  ['ndjson', 'NDJSON, with all that was found'],
] as const;

/** What came out, the rows of it, and the file of exactly those rows. */
export function BatchEnd({ batch }: { readonly batch: Batch }) {
  const filter = useSignal(ALL_ROWS);
  const format = useSignal<(typeof FORMATS)[number][0]>('csv');
  const { id, counts, processed, total_emails: rows, unique_emails: unique } = batch;
  const summary = useLoad(
    (signal) =>
      may('results')
        ? take(api.GET('/api/v1/verify/batch/{id}/summary', { params: { path: { id } }, signal }))
        : Promise.resolve(null),
    [id, batch.status],
  );
  const pick = (picked: Partial<RowFilter>) => {
    filter.value = { ...ALL_ROWS, ...picked };
    announce(sentenceOf(filter.value));
    document.getElementById('rows')?.scrollIntoView();
  };
  const query = new URLSearchParams({ format: format.value, ...queryOf(filter.value) });
  if (format.value === 'csv') query.set('bom', 'true');
  return (
    <>
      <div class="columns">
        <section aria-labelledby="verdicts">
          <h2 id="verdicts">Verdicts</h2>
          <CountsBar counts={counts} total={processed} />
          <CountsTable label="Verdicts" counts={counts} total={processed} onPick={(verdict) => pick({ verdict })} />
        </section>
        <section class="card" aria-labelledby="cost">
          <h2 id="cost">What it cost</h2>
          <Facts
            of={{
              Charged: count(batch.credits_charged),
              'Free: unknown': count(counts.unknown),
              'Free: duplicates': count(rows - unique),
              'Free: known already': batch.reused > 0 ? count(batch.reused) : null,
              Rows: count(rows),
              'Kept until': <Time at={batch.expires_at} none="its schedule ends" />,
            }}
          />
        </section>
      </div>
      {may('results') && <BatchSummary summary={summary} onPick={pick} />}
      <section aria-labelledby="rows">
        <h2 id="rows">Rows</h2>
        <div class="row">
          <RowFilters filter={filter} counts={counts} summary={summary.data.value} reasons={REASON_VERDICTS} />
        </div>
        <div class="row">
          <SelectField label="File" value={format} options={FORMATS} />
          <p class="labelled end">
            <a class="button primary" href={`/api/v1/verify/batch/${id}/results?${query}`} download>
              Download these rows
            </a>
          </p>
        </div>
        <BatchRows id={id} filter={filter.value} />
      </section>
      {batch.status === 'completed' && may('lists') && may('batches') && (
        <ScheduleOfList listId={batch.list_id ?? batch.id} />
      )}
    </>
  );
}

type BatchRow = Account['schemas']['FullRow'];

type Results = Account['schemas']['ResultsReply'];

const ROWS_PAGE_SIZE = 50;

interface BatchRowsProps {
  readonly id: number;
  readonly filter: RowFilter;
}

/** Rows in the order in which they were sent; a click shows what the mail server said. */
export function BatchRows({ id, filter }: BatchRowsProps) {
  const open = useSignal<BatchRow | null>(null);
  return (
    <>
      <PagedTable
        label="Rows"
        on={[id, filter]}
        load={async (cursor, signal) => {
          const query = { limit: ROWS_PAGE_SIZE, ...queryOf(filter), cursor };
          const asked = api.GET('/api/v1/verify/batch/{id}/results', { params: { path: { id }, query }, signal });
          // JSON, since no other format is asked for.
          return (await take(asked)) as Results;
        }}
        rows={(page) => page.results.filter(isAnswered)}
        keyOf={({ request_id: request, email }) => `${request} ${email}`}
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

const isAnswered = (row: BatchRow | Account['schemas']['PendingRow']): row is BatchRow => row.verdict !== null;
