import { useLocation, useRoute } from 'preact-iso';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { count, counted } from '../parts/figures.js';
import { Empty, PagedTable, Waiting } from '../parts/paged-table.js';
import { Time } from '../parts/time.js';
import { CountsBar } from '../parts/verdict-counts.js';
import { api, take } from '../session/api.js';
import { linkTo } from '../parts/link.js';
import { type Batch, moves, StateName, useBatch } from './batch.js';
import { FailedScreen, type Failure, FailureNote } from '../parts/failure.js';
import { useLoad } from '../parts/load.js';
import { may } from '../session/session.js';
import { BatchEnd } from './batch-end.js';
import { BatchProgress, HeldBatch } from './batch-progress.js';
import { announce } from '../parts/announcer.js';
import { Question } from '../parts/dialog.js';

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
      <PagedTable
        label="Lists"
        load={(cursor, signal) =>
          take(api.GET('/api/v1/verify/batch', { params: { query: { limit: 50, cursor } }, signal }))
        }
        rows={(page) => page.batches}
        keyOf={({ id }) => id}
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

/** One list, from its price to its results. */
export function BatchScreen() {
  const id = Number(useRoute().params['id']);
  const { data, failure, reload, rate } = useBatch(id);
  const isDeleting = useSignal(false);
  const batch = data.value;
  if (batch === null) {
    if (failure.value === null) return <Waiting />;
    if (failure.value.status === 404 && may('finder')) return <SearchOr failure={failure.value} id={id} key={id} />;
    return (
      <FailedScreen title="List" failure={failure.value} onRetry={reload} to={linkTo('/batches')} toTitle="All lists" />
    );
  }
  return (
    <>
      <div class="title-line">
        <h1>{batch.name ?? `List ${id}`}</h1>
        {!moves(batch.status) && (
          <button type="button" class="danger" onClick={() => (isDeleting.value = true)}>
            Delete
          </button>
        )}
      </div>
      <p class="hint">
        <StateName status={batch.status} progress={batch.progress} />. Sent <Time at={batch.created_at} />
        {batch.completed_at !== null && (
          <>
            , ended <Time at={batch.completed_at} />
          </>
        )}
        .
      </p>
      <FailureNote failure={failure.value} />
      {batch.status === 'held' && <HeldBatch batch={batch} onStart={reload} />}
      {moves(batch.status) && <BatchProgress batch={batch} rate={rate} onChange={reload} />}
      {!moves(batch.status) && batch.status !== 'held' && <BatchEnd batch={batch} />}
      {isDeleting.value && <DeleteBatch batch={batch} onClose={() => (isDeleting.value = false)} />}
    </>
  );
}

/** Batches and searches are numbered together, and an event or the ledger names no more than the number. */
function SearchOr({ failure, id }: { readonly failure: Failure; readonly id: number }) {
  const { route } = useLocation();
  const { data, isLoading } = useLoad(
    (signal) => take(api.GET('/api/v1/finder/batch/{id}', { params: { path: { id } }, signal })),
    [id],
  );
  const isThere = data.value !== null;
  useEffect(() => {
    if (isThere) route(linkTo(`/searches/${id}`), true);
  }, [isThere]);
  return isThere || isLoading.value ? (
    <Waiting />
  ) : (
    <FailedScreen title="List" failure={failure} to={linkTo('/batches')} toTitle="All lists" />
  );
}

interface DeleteBatchProps {
  readonly batch: Batch;
  readonly onClose: () => void;
}

function DeleteBatch({ batch: { id, name, total_emails: rows }, onClose }: DeleteBatchProps) {
  const { route } = useLocation();
  const remove = async () => {
    await take(api.DELETE('/api/v1/verify/batch/{id}', { params: { path: { id } } }));
    announce('The list is deleted.');
    route(linkTo('/batches'));
  };
  return (
    <Question title="Delete this list?" action="Delete for ever" onAct={remove} onClose={onClose}>
      <p>
        {name ?? `List ${id}`}: {counted(rows, 'row')}, their columns and their results are deleted for ever. What was
        charged stays in the ledger, without addresses.
      </p>
    </Question>
  );
}
