import { useSignal } from '@preact/signals';
import { FailureNote } from '../../../parts/failure.js';
import { count, counted } from '../../../parts/figures.js';
import { useLoad } from '../../../parts/load.js';
import { Empty, Waiting } from '../../../parts/paged-table.js';
import { adminApi, take } from '../../../shell/api.js';
import { SeedCard } from './seed-card.js';
import { AddSeed } from './seed-forms.js';

/** The operator's own mailboxes, in which placement tests look for mail. What opens one is never shown. */
export function SeedsScreen() {
  const { data, failure, isLoading, reload } = useLoad((signal) =>
    take(adminApi.GET('/admin/v1/placement/seeds', { signal })),
  );
  const isAdding = useSignal(false);
  const seeds = data.value?.seeds ?? null;
  return (
    <>
      <div class="title-line">
        <h1>Seed mailboxes</h1>
        <button type="button" class="primary" onClick={() => (isAdding.value = true)}>
          Add a mailbox
        </button>
      </div>
      <p>
        Mailboxes of your own at mail operators: placement tests look in them for where a mail was put. What opens one
        is sealed, and nobody is shown it again. <a href="/docs/guides/deliverability#seeds">How they work</a>
      </p>
      <FailureNote failure={failure.value} />
      {seeds === null ? (
        failure.value === null && <Waiting />
      ) : seeds.length === 0 ? (
        <Empty title="There is no mailbox yet">
          <p>
            Without one a placement test has the report on the mail alone. Two at each provider are a good beginning.
          </p>
        </Empty>
      ) : (
        <>
          <div class="title-line">
            <p>
              {count(seeds.filter(({ usable }) => usable).length)} of {counted(seeds.length, 'mailbox', 'mailboxes')}{' '}
              can be used in new tests.
            </p>
            <button type="button" class="small" disabled={isLoading.value} onClick={() => void reload()}>
              Look again
            </button>
          </div>
          <div class="cards">
            {seeds.map((seed) => (
              <SeedCard key={seed.id} of={seed} onChanged={reload} />
            ))}
          </div>
        </>
      )}
      {isAdding.value && <AddSeed onClose={() => (isAdding.value = false)} onAdded={reload} />}
    </>
  );
}
