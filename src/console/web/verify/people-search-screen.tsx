import { useLocation, useRoute } from 'preact-iso';
import { useSignal } from '@preact/signals';
import { count, Countdown, counted, Facts, Time } from '../parts/values.js';
import { FailureNote } from '../parts/failure.js';
import { Listing, Section, Unloaded, useLoad, usePolling } from '../parts/listing.js';
import { type Account, api } from '../session/api.js';
import { may } from '../session/session.js';
import { stateName } from './batch.js';
import { isRunning, nameOf, type Search, SearchActs, FindingCard } from './search.js';
import { announce } from '../parts/announcer.js';
import { Dialog } from '../parts/dialog.js';
import type { VerdictCounts } from '../parts/verdict-counts.js';
import { BatchSummary } from './batch-summary.js';
import { ALL_ROWS, queryOf, type RowFilter, RowFilters, sentenceOf } from './row-filters.js';

const RELOAD_MS = 2_000;

/** One search for many people: to be started as long as it is held, and looked at again while it runs. */
export function PeopleSearchScreen() {
  const id = Number(useRoute().params['id']);
  const { route } = useLocation();
  const loaded = useLoad((signal) => api.get('/api/v1/finder/batch/{id}', { path: { id }, signal }), [id]);
  const { data, failure, reload } = loaded;
  const search = data.value;
  usePolling(loaded, search !== null && isRunning(search) ? RELOAD_MS : null);
  if (search === null) return <Unloaded of={loaded} title="Search" to="/console/finder" toTitle="All searches" />;
  const { quote } = search;
  return (
    <>
      <p>
        <a href="/console/finder">All searches</a>
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
        <SearchActs of={search} onChange={() => void reload()} onDelete={() => route('/console/finder')} />
      </div>
      {search.completed_at !== null && may('results') && <PeopleEnd search={search} />}
    </>
  );
}

type Row = Account['schemas']['FoundRow'];
const ROWS_PAGE_SIZE = 50;
const FOUND = [['Found', ({ valid = 0, risky = 0 }: VerdictCounts) => valid + risky]] as const;

/** Who was found and who was not, why, and the file of exactly the rows that are shown. */
export function PeopleEnd({ search: { id, counts, status } }: { readonly search: Search }) {
  const filter = useSignal(ALL_ROWS);
  const summary = useLoad(
    (signal) => api.get('/api/v1/finder/batch/{id}/summary', { path: { id }, signal }),
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
      <Section id="rows" title="People">
        <div class="row">
          <RowFilters filter={filter} counts={counts} summary={summary.data.value} />
        </div>
        <p class="labelled">
          <a class="button primary" href={`/api/v1/finder/batch/${id}/results?${query}`} download={`people-${id}.csv`}>
            Download these rows
          </a>
        </p>
        <PeopleRows id={id} filter={filter.value} />
      </Section>
    </>
  );
}

function PeopleRows({ id, filter }: { readonly id: number; readonly filter: RowFilter }) {
  const open = useSignal<Row | null>(null);
  return (
    <>
      <Listing
        label="People"
        on={[id, filter]}
        load={async (page) => {
          const asked = page({ limit: ROWS_PAGE_SIZE, ...queryOf(filter) });
          const loaded = await api.get('/api/v1/finder/batch/{id}/results', { path: { id }, ...asked });
          return { ...loaded, results: loaded.results.filter(isAnswered) };
        }}
        rows="results"
        keyOf={({ request_id: request, columns = {}, domain }) =>
          [request, ...Object.values(columns), domain].join(' ')
        }
        empty="Nobody is like that"
        columns={{
          Person: (row) => (
            <button type="button" class="quiet small wrap" onClick={() => (open.value = row)}>
              {personOf(row)}
            </button>
          ),
          Domain: ({ domain }) => <span class="wrap">{domain}</span>,
          Address: ({ email }) => (email === null ? '' : <span class="mono wrap">{email}</span>),
          Verdict: ({ verdict }) => <span class={`badge ${verdict}`}>{verdict}</span>,
          Reason: ({ reason }) => <span class="mono">{reason}</span>,
        }}
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
