import { useRoute } from 'preact-iso';
import { useLoad } from '../../parts/load.js';
import { Unloaded } from '../../parts/paged-table.js';
import { api, take } from '../../shell/api.js';
import { linkTo } from '../../shell/routes.js';
import { ListResults } from './list-results.js';

/** A check of block lists as it was answered. */
export function ListCheckScreen() {
  const id = Number(useRoute().params['id']);
  const loaded = useLoad(
    (signal) => take(api.GET('/api/v1/blacklists/checks/{id}', { params: { path: { id } }, signal })),
    [id],
  );
  const { data, failure } = loaded;
  if (data.value === null || failure.value !== null)
    return <Unloaded of={loaded} title="Block lists" to={linkTo('/blacklists')} toTitle="All checks of block lists" />;
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
