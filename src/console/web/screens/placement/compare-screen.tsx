import { useLocation, useRoute } from 'preact-iso';
import { SelectField } from '../../parts/field.js';
import { useLoad } from '../../parts/load.js';
import { Empty, Unloaded } from '../../parts/paged-table.js';
import { type Account, api, take } from '../../shell/api.js';
import { linkTo } from '../../shell/routes.js';
import { Comparison } from './comparison.js';
import type { PlacementTest } from './placement-result.js';

type Offered = Pick<PlacementTest, 'id' | 'name' | 'created_at'>;

/** Among so many of the newest one is picked. */
const OFFERED = 100;

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const nameOf = ({ id, name, created_at: at }: Offered): string =>
  `${name ?? `Test ${id}`}, ${DAY.format(new Date(at))}`;

/** Two tests side by side: the one in the path, and an earlier one. */
export function CompareScreen() {
  const id = Number(useRoute().params['id']);
  const { query, route } = useLocation();
  const asked = query['from'] ?? null;
  const loaded = useLoad((signal) => load(id, asked, signal), [id, asked]);
  const { data, failure } = loaded;
  if (data.value === null || failure.value !== null)
    return <Unloaded of={loaded} title="Two placement tests" to={linkTo('/placement')} toTitle="All tests" />;
  const { from, to, diff, tests } = data.value;
  const show = (older: string | number, newer: string | number) =>
    route(`${linkTo(`/placement/${newer}/compare`)}?from=${older}`);
  const options = tests.map((test) => [String(test.id), nameOf(test)] as const);
  return (
    <>
      <p>
        <a href={linkTo(`/placement/${id}`)}>The test</a>
      </p>
      <h1 class="long">{to.name ?? `Test ${id}`} beside another test</h1>
      {from === null || diff === null ? (
        <Empty title="There is no other test yet">
          <p>
            <a href={linkTo('/placement')}>Make one</a> with the mail as it is now, and compare the two here.
          </p>
        </Empty>
      ) : (
        <>
          <div class="row">
            <SelectField
              label="Before"
              value={{ value: String(from.id) }}
              options={options}
              onPick={(picked) => show(picked, id)}
            />
            <SelectField
              label="After"
              value={{ value: String(id) }}
              options={options}
              onPick={(picked) => show(from.id, picked)}
            />
          </div>
          <Comparison from={from} to={to} diff={diff} />
        </>
      )}
    </>
  );
}

interface Loaded {
  readonly to: PlacementTest;
  /** Null: there is none. */
  readonly from: PlacementTest | null;
  readonly diff: Account['schemas']['PlacementDiffReply'] | null;
  readonly tests: readonly Offered[];
}

async function load(id: number, asked: string | null, signal: AbortSignal): Promise<Loaded> {
  const get = (one: number) => take(api.GET('/api/v1/placement/tests/{id}', { params: { path: { id: one } }, signal }));
  const query = { limit: OFFERED };
  const [to, page] = await Promise.all([
    get(id),
    take(api.GET('/api/v1/placement/tests', { params: { query }, signal })),
  ]);
  // Newest first: the first one that is older than this one, or any other.
  const others = page.tests.filter((test) => test.id !== id);
  const before = others.find((test) => test.created_at < to.created_at) ?? others[0];
  const fromId = asked === null ? before?.id : Number(asked);
  if (fromId === undefined) return { to, from: null, diff: null, tests: [] };
  const params = { path: { id: fromId }, query: { to: id } };
  const [from, diff] = await Promise.all([
    get(fromId),
    take(api.GET('/api/v1/placement/tests/{id}/diff', { params, signal })),
  ]);
  // One that is older than all that are offered is offered too while it is shown.
  const unlisted = [to, from].filter(({ id: shown }) => !page.tests.some((test) => test.id === shown));
  return { to, from, diff, tests: [...page.tests, ...unlisted] };
}
