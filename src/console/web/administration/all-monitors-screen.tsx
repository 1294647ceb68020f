import { useSignal } from '@preact/signals';
import { Switch } from '../parts/dialog.js';
import { SelectField } from '../parts/form.js';
import { AccountLink } from './accounts-screen.js';
import { count, counted, duration, SECOND_MS, StateBadge, Time } from '../parts/values.js';
import { type Part, ReloadTitle, Table, useLoad, WhenLoaded } from '../parts/listing.js';
import { type Admin, adminApi } from '../session/api.js';

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
  const loaded = useLoad((signal) => adminApi.get('/admin/v1/monitors', { signal }));
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
              There are too few workers, or they hang: <a href="/console/health">look at them</a>.
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

function Monitors({ of: monitors, shown, onChanged }: Part<readonly One[]> & { readonly shown: Shown }) {
  const [title, sentence] = NOTHING[shown];
  return (
    <Table<One>
      label="Monitors"
      rows={monitors}
      empty={title}
      emptyHint={sentence}
      columns={{
        'What is watched': ({ target, mode, id }) => (
          <span class="host">
            <span class="mono">{target}</span>
            <span class="hint below-name">
              {id}
              {mode === 'test' && ', test'}
            </span>
          </span>
        ),
        Account: (one) => <AccountLink id={one.account_id} />,
        State: ({ state, paused_by: by, paused_why: why }) => (
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
        Next: (one) => <Next of={one} />,
        Last: ({ last_run_at: at }) => <Time at={at} none="not yet" />,
        '': (one) => <PauseOrResume of={one} onChanged={onChanged} />,
      }}
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
  const path = { id };
  return (
    <Switch
      isOff={by === 'operator'}
      on={{
        action: 'Resume',
        onAct: () => adminApi.post('/admin/v1/monitors/{id}/resume', { path }),
        said: `The monitor of ${target} goes on.`,
      }}
      off={{
        action: 'Pause',
        title: `Pause the monitor of ${target}`,
        onAct: (reason) => adminApi.post('/admin/v1/monitors/{id}/pause', { path, body: { reason } }),
        said: `The monitor of ${target} is paused.`,
        children: <p>Nobody looks at it until you let it go on. Its owner reads the reason.</p>,
      }}
      onDone={onChanged}
    />
  );
}
