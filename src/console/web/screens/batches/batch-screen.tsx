import { useLocation, useRoute } from 'preact-iso';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { FailedScreen, type Failure, FailureNote } from '../../parts/failure.js';
import { useLoad } from '../../parts/load.js';
import { Waiting } from '../../parts/paged-table.js';
import { Time } from '../../parts/time.js';
import { api, take } from '../../shell/api.js';
import { linkTo } from '../../shell/routes.js';
import { may } from '../../shell/session.js';
import { BatchEnd } from './batch-end.js';
import { BatchProgress } from './batch-progress.js';
import { DeleteBatch } from './delete-batch.js';
import { HeldBatch } from './held-batch.js';
import { moves, StateName } from './state-name.js';
import { useBatch } from './watch.js';

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
