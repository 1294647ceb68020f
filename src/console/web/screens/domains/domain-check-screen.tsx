import { useRoute } from 'preact-iso';
import { FailedScreen } from '../../parts/failure.js';
import { useLoad } from '../../parts/load.js';
import { Waiting } from '../../parts/paged-table.js';
import { api, take } from '../../shell/api.js';
import { linkTo } from '../../shell/routes.js';
import { DomainResult } from './domain-result.js';

/** A check of a domain as it was answered. */
export function DomainCheckScreen() {
  const id = Number(useRoute().params['id']);
  const { data, failure, reload } = useLoad(
    (signal) => take(api.GET('/api/v1/domains/checks/{id}', { params: { path: { id } }, signal })),
    [id],
  );
  if (failure.value !== null)
    return (
      <FailedScreen
        title="Domain check"
        failure={failure.value}
        onRetry={reload}
        to={linkTo('/domains')}
        toTitle="All checks of domains"
      />
    );
  if (data.value === null) return <Waiting />;
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
