import { useRoute } from 'preact-iso';
import { useLoad } from '../../parts/load.js';
import { Unloaded } from '../../parts/paged-table.js';
import { api, take } from '../../shell/api.js';
import { linkTo } from '../../shell/routes.js';
import { DomainResult } from './domain-result.js';

/** A check of a domain as it was answered. */
export function DomainCheckScreen() {
  const id = Number(useRoute().params['id']);
  const loaded = useLoad(
    (signal) => take(api.GET('/api/v1/domains/checks/{id}', { params: { path: { id } }, signal })),
    [id],
  );
  const { data, failure } = loaded;
  if (data.value === null || failure.value !== null)
    return <Unloaded of={loaded} title="Domain check" to={linkTo('/domains')} toTitle="All checks of domains" />;
  return (
    <>
      <div class="title-line">
        <h1>Domain check</h1>
        <a class="button" href={`${linkTo('/domains')}?domain=${encodeURIComponent(data.value.domain)}`}>
          Check it again
        </a>
      </div>
      <DomainResult of={data.value} />
    </>
  );
}
