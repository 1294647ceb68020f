import { useRoute } from 'preact-iso';
import { FailedScreen } from '../../parts/failure.js';
import { useLoad } from '../../parts/load.js';
import { Waiting } from '../../parts/paged-table.js';
import { api, take } from '../../shell/api.js';
import { linkTo } from '../../shell/routes.js';
import { ListResults } from './list-results.js';

/** A check of block lists as it was answered. */
export function ListCheckScreen() {
  const id = Number(useRoute().params['id']);
  const { data, failure, reload } = useLoad(
    (signal) => take(api.GET('/api/v1/blacklists/checks/{id}', { params: { path: { id } }, signal })),
    [id],
  );
  if (failure.value !== null)
    return (
      <FailedScreen
        title="Block lists"
        failure={failure.value}
        onRetry={reload}
        to={linkTo('/blacklists')}
        toTitle="All checks of block lists"
      />
    );
  if (data.value === null) return <Waiting />;
  const targets = data.value.results.map(({ target }) => target).join('\n');
  return (
    <>
      <div class="title-line">
        <h1>Block lists</h1>
        <a class="button" href={`${linkTo('/blacklists')}?target=${encodeURIComponent(targets)}`}>
          Check them again
        </a>
      </div>
      <ListResults of={data.value} />
    </>
  );
}
