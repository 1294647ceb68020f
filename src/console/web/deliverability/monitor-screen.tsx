import { useSignal } from '@preact/signals';
import { useLocation, useRoute } from 'preact-iso';
import { Confirm, Opener } from '../parts/dialog.js';
import { ActionButton } from '../parts/form.js';
import { areaName } from './findings.js';
import { type Part, Section, Unloaded, useLoad, usePolling } from '../parts/listing.js';
import { counted, Facts, StateBadge, Time } from '../parts/values.js';
import { FailureNote } from '../parts/failure.js';
import { type Account, api } from '../session/api.js';
import { session } from '../session/session.js';
import { every, type Monitor, SettingsForm, titleOf } from './monitors-screen.js';
import { MonitorFindings } from './monitor-findings.js';
import { MonitorTimeline } from './monitor-timeline.js';
import { MonitorRuns, type PickedRun } from './monitor-runs.js';
import { MutedLists } from './mutes.js';

/** Before the first run; and afterwards, where test keys run every few seconds and others every few minutes. */
const PENDING_MS = 1_000;
const SIMULATED_MS = 2_000;
const QUIET_MS = 20_000;

const SENTENCES: Readonly<Record<Monitor['state'], string>> = {
  pending: 'The first look is on its way.',
  ok: 'Nothing is wrong.',
  warning: 'Something is not as it should be.',
  critical: 'Mail suffers from it.',
  unknown: 'The last check got no answer to some questions, so the status is unknown, not healthy.',
  paused: 'Nobody looks at it.',
};

const PAUSED_BY: Readonly<Record<string, string>> = {
  owner: 'you paused it',
  plan: 'your plan has room for fewer monitors',
  suspended: 'the account is suspended',
  operator: 'an administrator paused it',
};

/** One monitor: what is wrong now, what happened, and what every look has found. */
export function MonitorScreen() {
  const id = Number(useRoute().params['id']);
  const path = { id };
  const picked = useSignal<PickedRun | null>(null);
  const mutes = useSignal(0);
  const loaded = useLoad((signal) => api.get('/api/v1/monitors/{id}', { path, signal }), [id]);
  const monitor = loaded.data.value;
  usePolling(loaded, paceOf(monitor));
  const failure = loaded.failure.value;
  if (monitor === null) return <Unloaded of={loaded} title="Monitor" to="/console/monitors" toTitle="All monitors" />;
  const turn = (enabled: boolean) => api.patch('/api/v1/monitors/{id}', { path, body: { enabled } });
  // What is below is asked for anew when a run has ended or the state has changed.
  const on = `${monitor.last_run_id} ${monitor.state}`;
  const muted = async () => {
    mutes.value++;
    await loaded.reload();
  };
  const pick = (runId: number) => {
    picked.value = { runId };
    document.getElementById('runs')?.scrollIntoView();
    document.getElementById('runs')?.focus({ preventScroll: true });
  };
  return (
    <>
      <p>
        <a href="/console/monitors">All monitors</a>
      </p>
      <h1 class="long">{titleOf(monitor)}</h1>
      <FailureNote failure={failure} />
      <Summary of={monitor} />
      <div class="actions">
        <ActionButton
          class="primary"
          onAct={() => api.post('/api/v1/monitors/{id}/run', { path })}
          said="It was looked at."
          onDone={loaded.reload}
        >
          Look now
        </ActionButton>
        {(monitor.paused_by === null || monitor.paused_by === 'owner') && (
          <ActionButton onAct={() => turn(monitor.paused_by !== null)} onDone={loaded.reload}>
            {monitor.paused_by === null ? 'Pause' : 'Go on'}
          </ActionButton>
        )}
        {monitor.kind === 'domain' && (
          <>
            <a class="button" href={`/console/monitors/${id}/reports`}>
              DMARC reports
            </a>
            <a class="button" href={`/console/monitors/${id}/tls-reports`}>
              TLS reports
            </a>
          </>
        )}
        <EditMonitor of={monitor} onChanged={loaded.reload} />
        <DeleteMonitor id={id} />
      </div>
      <Days of={monitor.days} />
      <MonitorFindings of={monitor} on={on} onChanged={muted} />
      <MutedLists of={monitor} onChanged={muted} />
      <MonitorTimeline id={id} on={`${on} ${mutes.value}`} onPick={pick} />
      <MonitorRuns id={id} on={on} picked={picked} />
    </>
  );
}

function paceOf(monitor: Monitor | null): number | null {
  if (monitor === null || monitor.state === 'paused') return null;
  if (monitor.state === 'pending') return PENDING_MS;
  return session.value?.simulated === true ? SIMULATED_MS : QUIET_MS;
}

function Summary({ of }: { readonly of: Monitor }) {
  const { target, name, state, paused_by: by, paused_why: why } = of;
  return (
    <section class="card" aria-label="State">
      <p class="verdict">
        <StateBadge state={state} />
        <span>{SENTENCES[state]}</span>
      </p>
      {by !== null && (
        <p class="error">
          It is paused: {PAUSED_BY[by] ?? by}
          {why !== null && ` (${why})`}.
        </p>
      )}
      {of.unanswered_since !== null && (
        <p class="error">
          Nobody has answered since <Time at={of.unanswered_since} />, so nothing is known of it.
        </p>
      )}
      {of.unanswered_why !== null && <p class="error">{of.unanswered_why}</p>}
      <Facts
        of={{
          Target: name && <code>{target}</code>,
          'Looked at': every(of.interval_minutes),
          Last: <Time at={of.last_run_at} none="not yet" />,
          Next: of.next_run_at && <Time at={of.next_run_at} />,
          Only: of.checks === null ? null : of.checks.map(areaName).join(', '),
          'DKIM selectors': of.dkim_selectors.length === 0 ? null : of.dkim_selectors.join(', '),
          'Sending addresses': of.sending_addresses.length === 0 ? null : of.sending_addresses.join(', '),
        }}
      />
    </section>
  );
}

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const DAY_STATES = [
  ['critical', 'invalid', 'critical'],
  ['warning', 'risky', 'warning'],
  ['unknown', 'unknown', 'without an answer'],
  ['ok', 'valid', 'ok'],
  [null, 'hint', 'not checked'],
] as const;

/** The worst of each day; a day on which nobody looked is no good one. */
function Days({ of: days }: { readonly of: Account['schemas']['MonitorWithDaysReply']['days'] }) {
  const counts = DAY_STATES.flatMap(([state, , words]) => {
    const some = days.filter((day) => day.state === state).length;
    return some === 0 ? [] : `${counted(some, 'day')} ${words}`;
  });
  return (
    <Section id="days" title="The last 30 days" class="card">
      <ol class="days" aria-label="The last 30 days">
        {days.map(({ day, state }) => {
          const [, colour, words] = DAY_STATES.find(([one]) => one === state)!;
          const text = `${DAY.format(new Date(day))}: ${words}`;
          return (
            <li key={day} class={colour} title={text}>
              <span class="visually-hidden">{text}</span>
            </li>
          );
        })}
      </ol>
      <p class="hint">{counts.join(', ')}. Days are in UTC.</p>
    </Section>
  );
}

function EditMonitor({ of, onChanged }: Part<Monitor>) {
  return (
    <Opener action="Change" title="Change the monitor">
      {(close) => (
        <SettingsForm
          of={of}
          isDomain={of.kind === 'domain'}
          action="Save"
          onSave={async ({ dkim_selectors, sending_addresses, ...rest }) => {
            const body = { ...rest, ...(of.kind === 'domain' && { dkim_selectors, sending_addresses }) };
            await api.patch('/api/v1/monitors/{id}', { path: { id: of.id }, body });
            close();
            await onChanged();
          }}
        />
      )}
    </Opener>
  );
}

function DeleteMonitor({ id }: { readonly id: number }) {
  const { route } = useLocation();
  return (
    <Confirm
      action="Delete"
      onAct={() => api.delete('/api/v1/monitors/{id}', { path: { id } })}
      said="The monitor is deleted."
      onDone={() => route('/console/monitors')}
    >
      <p>The monitor is deleted with its findings, its timeline and everything that its looks have found.</p>
    </Confirm>
  );
}
