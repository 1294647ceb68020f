import { useLocation, useRoute } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { Facts } from '../../parts/facts.js';
import { FailureNote } from '../../parts/failure.js';
import { count, counted } from '../../parts/figures.js';
import { useLoad } from '../../parts/load.js';
import { Countdown, Time } from '../../parts/time.js';
import { Unloaded } from '../../parts/paged-table.js';
import { api, take } from '../../shell/api.js';
import { linkTo } from '../../shell/routes.js';
import { may } from '../../shell/session.js';
import { stateName } from '../batches/state-name.js';
import { PeopleEnd } from './people-end.js';
import { isRunning, nameOf, SearchActs } from './search.js';

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
          of={[
            ['State', stateName(search)],
            ['People', count(search.total_people)],
            quote === null ? null : ['Costs at most', counted(quote.max_credits, 'credit')],
            ['Found', count(search.counts.valid + search.counts.risky)],
            ['Charged', count(search.credits_charged)],
            isRunning(search) && search.estimated_completion_at !== null
              ? ['Ready in about', <Countdown key="end" until={search.estimated_completion_at} over="a moment" />]
              : null,
            ['Sent', <Time key="sent" at={search.created_at} />],
          ]}
        />
        <SearchActs of={search} onChange={() => void reload()} onDelete={() => route(linkTo('/finder'))} />
      </div>
      {search.completed_at !== null && may('results') && <PeopleEnd search={search} />}
    </>
  );
}
