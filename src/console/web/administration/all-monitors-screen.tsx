import { useSignal } from '@preact/signals';
import { ActionButton } from '../parts/action.js';
import { announce } from '../parts/announcer.js';
import { StateBadge } from '../parts/badge.js';
import { Reasoned } from '../parts/dialog.js';
import { SelectField } from '../parts/field.js';
import { count, counted, duration, SECOND_MS } from '../parts/figures.js';
import { useLoad } from '../parts/load.js';
import { Empty, type Part, ReloadTitle, Table, WhenLoaded } from '../parts/paged-table.js';
import { Time } from '../parts/time.js';
import { type Admin, adminApi, take } from '../session/api.js';
import { linkTo } from '../parts/link.js';

type All = Admin['schemas']['AllMonitorsReply'];
type One = Admin['schemas']['AnyMonitorReply'];
type Shown = 'all' | 'late' | 'paused';

/** A run is promised within a minute of its time. */
const LATE_SECONDS = 60;

const STATES = ['critical', 'warning', 'unknown', 'ok', 'pending', 'paused'] as const;

const lateBy = ({ next_run_at: at }: One): number => (at === null ? 0 : (Date.now() - Date.parse(at)) / SECOND_MS);

const PARTS: Readonly<Record<Shown, (one: One) => boolean>> = {
  all: () => true,
  late: (one) => lateBy(one) > LATE_SECONDS,
  paused: ({ paused_by: by }) => by !== null,
};

/** Monitors of all accounts: whether the workers keep up, and which one harms somebody. */
export function AllMonitorsScreen() {
  const shown = useSignal<Shown>('all');
  const loaded = useLoad((signal) => take(adminApi.GET('/admin/v1/monitors', { signal })));
  return (
    <>
      <ReloadTitle title="Monitors of all accounts" of={loaded} />
      <WhenLoaded of={loaded}>
        {(all) => (
          <>
            <Pace of={all} />
            <div class="row">
              <SelectField
                label="Show"
                value={shown}
                options={['all', 'late', 'paused']}
                hint="Of the 100 that run next, and of those that are paused. The figures above are those of live keys; monitors of test keys stand here only."
              />
            </div>
            <Monitors of={all.monitors.filter(PARTS[shown.value])} shown={shown.value} onChanged={loaded.reload} />
          </>
        )}
      </WhenLoaded>
    </>
  );
}

function Pace({ of: { due, oldest_due_seconds: oldest, by_state: states } }: { readonly of: All }) {
  const isLate = oldest > LATE_SECONDS;
  return (
    <section class="card" aria-label="Pace">
      <p class="verdict">
        <span class={`badge ${isLate ? 'invalid' : 'valid'}`}>{isLate ? 'late' : 'in time'}</span>
        <span>
          {due === 0
            ? 'No live monitor waits for a worker.'
            : `${counted(due, 'live monitor')} due, the one that waits longest for ${duration(oldest)}.`}
          {isLate && (
            <>
              {' '}
              There are too few workers, or they hang: <a href={linkTo('/health')}>look at them</a>.
            </>
          )}
        </span>
      </p>
      <ul class="tiles" aria-label="Live monitors by state">
        {STATES.map((state) => (
          <li key={state}>
            <StateBadge state={state} />
            <strong>{count(states[state])}</strong>
          </li>
        ))}
      </ul>
    </section>
  );
}

const NOTHING: Readonly<Record<Shown, readonly [title: string, sentence: string]>> = {
  all: ['No account has a monitor', 'Customers make them on their own screen, or by the API.'],
  late: ['None is late', 'Every monitor was looked at within a minute of its time.'],
  paused: ['None is paused', 'One that you pause here stands here until you let it go on.'],
};

interface MonitorsProps {
  readonly of: readonly One[];
  readonly shown: Shown;
  readonly onChanged: () => Promise<void>;
}

function Monitors({ of: monitors, shown, onChanged }: MonitorsProps) {
  const [title, sentence] = NOTHING[shown];
  if (monitors.length === 0)
    return (
      <Empty title={title}>
        <p>{sentence}</p>
      </Empty>
    );
  return (
    <Table<One>
      label="Monitors"
      rows={monitors}
      keyOf={({ id }) => id}
      columns={[
        {
          name: 'What is watched',
          cell: ({ target, mode, id }) => (
            <span class="host">
              <span class="mono">{target}</span>
              <span class="hint below-name">
                {id}
                {mode === 'test' && ', test'}
              </span>
            </span>
          ),
        },
        {
          name: 'Account',
          cell: (one) => <a href={linkTo(`/accounts/${one.account_id}`)}>{one.account_id.slice(0, 8)}</a>,
        },
        {
          name: 'State',
          cell: ({ state, paused_by: by, paused_why: why }) => (
            <>
              <StateBadge state={state} />
              {by !== null && (
                <span class="hint below-name wrap">
                  by {by}
                  {why !== null && `: ${why}`}
                </span>
              )}
            </>
          ),
        },
        { name: 'Next', cell: (one) => <Next of={one} /> },
        { name: 'Last', cell: ({ last_run_at: at }) => <Time at={at} none="not yet" /> },
        { name: '', cell: (one) => <PauseOrResume of={one} onChanged={onChanged} /> },
      ]}
    />
  );
}

function Next({ of: one }: { readonly of: One }) {
  const late = lateBy(one);
  if (late <= LATE_SECONDS) return <Time at={one.next_run_at} none="not while it is paused" />;
  return (
    <>
      <span class="invalid">{duration(late)} late</span>
      <span class="hint below-name">
        <Time at={one.next_run_at} />
      </span>
    </>
  );
}

function PauseOrResume({ of: { id, target, paused_by: by }, onChanged }: Part<One>) {
  const params = { path: { id } };
  if (by === 'operator')
    return (
      <ActionButton
        class="small"
        onAct={async () => {
          await take(adminApi.POST('/admin/v1/monitors/{id}/resume', { params }));
          announce(`The monitor of ${target} goes on.`);
          await onChanged();
        }}
      >
        Resume
      </ActionButton>
    );
  return (
    <Reasoned
      action="Pause"
      title={`Pause the monitor of ${target}`}
      class="small"
      onAct={async (reason) => {
        await take(adminApi.POST('/admin/v1/monitors/{id}/pause', { params, body: { reason } }));
        announce(`The monitor of ${target} is paused.`);
        await onChanged();
      }}
    >
      <p>Nobody looks at it until you let it go on. Its owner reads the reason.</p>
    </Reasoned>
  );
}
