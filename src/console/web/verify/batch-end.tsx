import { useSignal } from '@preact/signals';
import { announce } from '../parts/announcer.js';
import { count, counted, Facts, Time } from '../parts/values.js';
import { Dialog } from '../parts/dialog.js';
import { SelectField } from '../parts/form.js';
import { Listing, Section, useLoad } from '../parts/listing.js';
import { ACTIONS, REASON_VERDICTS, reasonName, VerificationCard } from '../parts/verification.js';
import { CountsBar, CountsTable, type VerdictCounts } from '../parts/verdict-counts.js';
import { type Account, api } from '../session/api.js';
import { may } from '../session/session.js';
import { BatchSummary } from './batch-summary.js';
import { ALL_ROWS, queryOf, type RowFilter, RowFilters, sentenceOf } from './row-filters.js';
import { ScheduleOfList } from './schedule.js';
import type { Batch } from './batch.js';

const FORMATS = [
  ['csv', 'CSV, in your own layout'],
  ['xlsx', 'Excel workbook, in your own layout'],
  ['zip', 'ZIP: a CSV for each verdict, and a page of figures'],
  ['ndjson', 'NDJSON, with all that was found'],
] as const;

/** What came out, the rows of it, and the file of exactly those rows. */
export function BatchEnd({ batch }: { readonly batch: Batch }) {
  const filter = useSignal(ALL_ROWS);
  const format = useSignal<(typeof FORMATS)[number][0]>('csv');
  const { id, counts, processed, total_emails: rows, unique_emails: unique } = batch;
  const summary = useLoad(
    (signal) =>
      may('results') ? api.get('/api/v1/verify/batch/{id}/summary', { path: { id }, signal }) : Promise.resolve(null),
    [id, batch.status],
  );
  const pick = (picked: Partial<RowFilter>) => {
    filter.value = { ...ALL_ROWS, ...picked };
    announce(sentenceOf(filter.value));
    document.getElementById('rows')?.scrollIntoView();
  };
  const fileOf = (of: Partial<RowFilter>, as: (typeof FORMATS)[number][0]): string =>
    `/api/v1/verify/batch/${id}/results?${new URLSearchParams({ format: as, ...((as === 'csv' || as === 'zip') && { bom: 'true' }), ...of })}`;
  const { valid } = counts;
  return (
    <>
      <p>{meaningOf(counts)}</p>
      {may('results') && (
        <p class="actions">
          {valid > 0 && (
            <a class="button primary" href={fileOf({ verdict: 'valid' }, 'csv')} download>
              Download {counted(valid, 'valid address', 'valid addresses')}
            </a>
          )}
          <a class="button" href={fileOf({}, 'csv')} download>
            Download all {counted(processed, 'row')}
          </a>
          <a href="#rows">Other rows and files</a>
        </p>
      )}
      <div class="columns">
        <Section id="verdicts" title="Verdicts">
          <CountsBar counts={counts} total={processed} />
          <CountsTable label="Verdicts" counts={counts} total={processed} onPick={(verdict) => pick({ verdict })} />
        </Section>
        <Section id="cost" title="What it cost" class="card">
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
        </Section>
      </div>
      {may('results') && <BatchSummary summary={summary} onPick={pick} />}
      <Section id="rows" title="Rows">
        <div class="row">
          <RowFilters filter={filter} counts={counts} summary={summary.data.value} reasons={REASON_VERDICTS} />
        </div>
        <div class="row">
          <SelectField label="File" value={format} options={FORMATS} />
          <p class="labelled end">
            <a class="button primary" href={fileOf(queryOf(filter.value), format.value)} download>
              Download these rows
            </a>
          </p>
        </div>
        <BatchRows id={id} filter={filter.value} />
      </Section>
      {batch.status === 'completed' && may('lists') && may('batches') && (
        <ScheduleOfList listId={batch.list_id ?? batch.id} />
      )}
    </>
  );
}

/** What to do with the list, in a sentence or two. */
function meaningOf({ valid = 0, invalid = 0, risky = 0, unknown = 0 }: VerdictCounts): string {
  const parts = [
    valid > 0 && `Send to the ${count(valid)} valid.`,
    invalid > 0 && `Leave out the ${count(invalid)} invalid: mail to them would bounce.`,
    risky > 0 && `Decide about the ${count(risky)} risky: some of them may bounce.`,
    unknown > 0 && `${count(unknown)} could not be checked, and cost nothing: check them again later.`,
  ];
  return parts.filter(Boolean).join(' ');
}

type BatchRow = Account['schemas']['FullRow'];

const ROWS_PAGE_SIZE = 50;
/** Of those that were sent, such as a name: by which a person knows whose address it is. */
const MAX_OWN_COLUMNS = 2;

/** Rows in the order in which they were sent; a click shows what the mail server said. */
export function BatchRows({ id, filter }: { readonly id: number; readonly filter: RowFilter }) {
  const open = useSignal<BatchRow | null>(null);
  const ownNames = useSignal<readonly string[]>([]);
  return (
    <>
      <Listing
        label="Rows"
        on={[id, filter]}
        load={async (page) => {
          const asked = page({ limit: ROWS_PAGE_SIZE, ...queryOf(filter) });
          const loaded = await api.get('/api/v1/verify/batch/{id}/results', { path: { id }, ...asked });
          const results = loaded.results.filter(isAnswered);
          ownNames.value = Object.keys(results[0]?.columns ?? {}).slice(0, MAX_OWN_COLUMNS);
          return { ...loaded, results };
        }}
        rows="results"
        keyOf={({ request_id: request, email }) => `${request} ${email}`}
        empty="No row is like that"
        columns={{
          Address: (row) => (
            <button type="button" class="quiet small mono" onClick={() => (open.value = row)}>
              {row.email}
            </button>
          ),
          Verdict: (row) => <span class={`badge ${row.verdict}`}>{row.verdict}</span>,
          'Recommended action': ({ action }) => <span class="nowrap">{ACTIONS[action] ?? action}</span>,
          Reason: ({ reason }) => reasonName(reason),
          'Mail operator': ({ provider }) => provider ?? '',
        }}
        more={ownNames.value.map((name) => [name, ({ columns }: BatchRow) => columns?.[name] ?? ''])}
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
