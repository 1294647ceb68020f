import { useSignal } from '@preact/signals';
import { useLocation, useRoute } from 'preact-iso';
import { Confirm, Opener } from '../parts/dialog.js';
import { ActionButton } from '../parts/form.js';
import { areaName } from './findings.js';
import { Listing, type Part, Section, Unloaded, useLoad, usePolling } from '../parts/listing.js';
import { Facts, StateBadge, Time } from '../parts/values.js';
import { FailureNote } from '../parts/failure.js';
import { type Account, api } from '../session/api.js';
import { session } from '../session/session.js';
import { every, type Monitor, SettingsForm, titleOf } from './monitors-screen.js';
import { MonitorFindings } from './monitor-findings.js';
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

type MonitorEvent = Account['schemas']['MonitorEventReply'];

const LABELS: Readonly<Record<MonitorEvent['type'], string>> = {
  'monitor.created': 'The monitor was made',
  'monitor.edited': 'The monitor was changed',
  'monitor.paused': 'Paused',
  'monitor.resumed': 'Goes on',
  'monitor.state': 'State',
  'monitor.stalled': 'Nobody answers any more',
  'finding.suspected': 'Suspected',
  'finding.opened': 'Opened',
  'finding.worsened': 'Worse',
  'finding.eased': 'Milder',
  'finding.resolved': 'Resolved',
  'finding.flapping': 'Comes and goes',
  'finding.muted': 'Muted',
  'finding.unmuted': 'No longer muted',
  'finding.noted': 'A note was written',
  'list.muted': 'Block list muted',
  'list.unmuted': 'Block list no longer muted',
  'list.noted': 'A note was written to a block list',
  'facts.changed': 'Something published has changed',
};

interface MonitorTimelineProps {
  readonly id: number;
  /** Asked for anew when it changes. */
  readonly on: string;
  /** The reader wants to see what a look has found different. */
  readonly onPick: (runId: number) => void;
}

/** Everything that happened to a target, newest first; none of it is ever changed. */
function MonitorTimeline({ id, on, onPick }: MonitorTimelineProps) {
  return (
    <Section id="timeline" title="Timeline">
      <Listing
        label="Timeline"
        on={[id, on]}
        load={(page) => api.get('/api/v1/monitors/{id}/events', { path: { id }, ...page({ limit: 20 }) })}
        rows="events"
        empty="Nothing has happened yet"
        emptyHint="What opens, what is resolved and what changes stands here from the first look on."
        columns={{ When: (event) => <Time at={event.at} />, What: (event) => <What of={event} onPick={onPick} /> }}
      />
    </Section>
  );
}

interface WhatProps extends Pick<MonitorTimelineProps, 'onPick'> {
  readonly of: MonitorEvent;
}

const textIn = (data: MonitorEvent['data'], name: string): string | null =>
  typeof data[name] === 'string' ? data[name] : null;

function What({ of: { type, data, run_id: runId }, onPick }: WhatProps) {
  const state = textIn(data, 'after') ?? textIn(data, 'severity');
  const before = textIn(data, 'before');
  return (
    <span class="verdict">
      {type === 'finding.resolved' ? <span class="valid">{LABELS[type]}</span> : LABELS[type]}
      {before !== null && (
        <>
          <StateBadge state={before} />
          <span aria-hidden="true">→</span>
          <span class="visually-hidden">then</span>
        </>
      )}
      {state !== null && <StateBadge state={state} />}
      <span class="mono wrap">
        {[textIn(data, 'code'), textIn(data, 'subject'), textIn(data, 'list')].filter(Boolean).join(' ')}
      </span>
      {textIn(data, 'unanswered_why')}
      {type === 'facts.changed' && runId !== null && (
        <button type="button" class="quiet" onClick={() => onPick(runId)}>
          See what
        </button>
      )}
    </span>
  );
}
