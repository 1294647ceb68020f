import { useLocation, useRoute } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { Facts } from '../parts/facts.js';
import { FailureNote } from '../parts/failure.js';
import { count, counted } from '../parts/figures.js';
import { useLoad } from '../parts/load.js';
import { Countdown, Time } from '../parts/time.js';
import { Empty, PagedTable, Unloaded } from '../parts/paged-table.js';
import { type Account, api, take } from '../session/api.js';
import { linkTo } from '../parts/link.js';
import { may } from '../session/session.js';
import { stateName } from './batch.js';
import { isRunning, nameOf, type Search, SearchActs, FindingCard } from './search.js';
import { announce } from '../parts/announcer.js';
import { Dialog } from '../parts/dialog.js';
import type { VerdictCounts } from '../parts/verdict-counts.js';
import { BatchSummary } from './batch-summary.js';
import { ALL_ROWS, queryOf, type RowFilter, RowFilters, sentenceOf } from './row-filters.js';

const LOOK_AGAIN_MS = 2_000;

/** One search for many people: to be started as long as it is held, and looked at again while it runs. */
export function PeopleSearchScreen() {
  const id = Number(useRoute().params['id']);
  const { route } = useLocation();
  const loaded = useLoad(
    (signal) => take(api.GET('/api/v1/finder/batch/{id}', { params: { path: { id } }, signal })),
    [id],
  );
  const { data, failure, reload } = loaded;
  const search = data.value;
  useEffect(() => {
    if (search === null || !isRunning(search)) return undefined;
    const timer = setTimeout(() => void reload(), LOOK_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [search]);
  if (search === null) return <Unloaded of={loaded} title="Search" to={linkTo('/finder')} toTitle="All searches" />;
  const { quote } = search;
  return (
    <>
      <p>
        <a href={linkTo('/finder')}>All searches</a>
      </p>
      <h1>{nameOf(search)}</h1>
      <FailureNote failure={failure.value} />
      <div class="card">
        {isRunning(search) && (
          <progress aria-label="People searched for" max={Math.max(1, search.total_people)} value={search.processed} />
        )}
        <Facts
          of={{
            State: stateName(search),
            People: count(search.total_people),
            'Costs at most': quote === null ? null : counted(quote.max_credits, 'credit'),
            Found: count(search.counts.valid + search.counts.risky),
            Charged: count(search.credits_charged),
            'Ready in about':
              isRunning(search) && search.estimated_completion_at !== null ? (
                <Countdown until={search.estimated_completion_at} over="a moment" />
              ) : null,
            Sent: <Time at={search.created_at} />,
          }}
        />
        <SearchActs of={search} onChange={() => void reload()} onDelete={() => route(linkTo('/finder'))} />
      </div>
      {search.completed_at !== null && may('results') && <PeopleEnd search={search} />}
    </>
  );
}

type Row = Account['schemas']['FoundRow'];
type Results = Account['schemas']['PeopleResultsReply'];

const ROWS_PAGE_SIZE = 50;
const FOUND = [['Found', ({ valid = 0, risky = 0 }: VerdictCounts) => valid + risky]] as const;

/** Who was found and who was not, why, and the file of exactly the rows that are shown. */
export function PeopleEnd({ search: { id, counts, status } }: { readonly search: Search }) {
  const filter = useSignal(ALL_ROWS);
  const summary = useLoad(
    (signal) => take(api.GET('/api/v1/finder/batch/{id}/summary', { params: { path: { id } }, signal })),
    [id, status],
  );
  const pick = (picked: Partial<RowFilter>) => {
    filter.value = { ...ALL_ROWS, ...picked };
    announce(sentenceOf(filter.value));
    document.getElementById('rows')?.scrollIntoView();
  };
  const query = new URLSearchParams({ format: 'csv', bom: 'true', ...queryOf(filter.value) });
  return (
    <>
      <BatchSummary summary={summary} onPick={pick} columns={FOUND} />
      <section aria-labelledby="rows">
        <h2 id="rows">People</h2>
        <div class="row">
          <RowFilters filter={filter} counts={counts} summary={summary.data.value} />
        </div>
        <p class="labelled">
          <a class="button primary" href={`/api/v1/finder/batch/${id}/results?${query}`} download={`people-${id}.csv`}>
            Download these rows
          </a>
        </p>
        <PeopleRows id={id} filter={filter.value} />
      </section>
    </>
  );
}

function PeopleRows({ id, filter }: { readonly id: number; readonly filter: RowFilter }) {
  const open = useSignal<Row | null>(null);
  return (
    <>
      <PagedTable
        label="People"
        on={[id, filter]}
        load={async (cursor, signal) => {
          const query = { limit: ROWS_PAGE_SIZE, ...queryOf(filter), cursor };
          const asked = api.GET('/api/v1/finder/batch/{id}/results', { params: { path: { id }, query }, signal });
          // JSON, since no other format is asked for.
          return (await take(asked)) as Results;
        }}
        rows={(page) => page.results.filter(isAnswered)}
        keyOf={({ request_id: request, columns = {}, domain }) =>
          [request, ...Object.values(columns), domain].join(' ')
        }
        empty={<Empty title="Nobody is like that" />}
        columns={[
          {
            name: 'Person',
            cell: (row) => (
              <button type="button" class="quiet small wrap" onClick={() => (open.value = row)}>
                {personOf(row)}
              </button>
            ),
          },
          { name: 'Domain', cell: ({ domain }) => <span class="wrap">{domain}</span> },
          { name: 'Address', cell: ({ email }) => (email === null ? '' : <span class="mono wrap">{email}</span>) },
          { name: 'Verdict', cell: ({ verdict }) => <span class={`badge ${verdict}`}>{verdict}</span> },
          { name: 'Reason', cell: ({ reason }) => <span class="mono">{reason}</span> },
        ]}
      />
      {open.value !== null && (
        <Dialog title={open.value.email ?? `No address of ${personOf(open.value)}`} onClose={() => (open.value = null)}>
          <FindingCard of={open.value} />
        </Dialog>
      )}
    </>
  );
}

/** As the person was sent. */
function personOf({ columns = {} }: Row): string {
  const { full_name: full, first_name: first, last_name: last } = columns;
  return full || [first, last].filter(Boolean).join(' ') || 'somebody';
}

const isAnswered = (row: Row | Account['schemas']['PendingPersonRow']): row is Row => 'email' in row;
