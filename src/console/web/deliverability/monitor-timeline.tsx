import { StateBadge } from '../parts/badge.js';
import { Empty, PagedTable } from '../parts/paged-table.js';
import { Time } from '../parts/time.js';
import { type Account, api, take } from '../session/api.js';

type MonitorEvent = Account['schemas']['MonitorEventReply'];

const WORDS: Readonly<Record<MonitorEvent['type'], string>> = {
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
export function MonitorTimeline({ id, on, onPick }: MonitorTimelineProps) {
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      <PagedTable
        label="Timeline"
        on={[id, on]}
        load={(cursor, signal) =>
          take(
            api.GET('/api/v1/monitors/{id}/events', { params: { path: { id }, query: { cursor, limit: 20 } }, signal }),
          )
        }
        rows={(page) => page.events}
        keyOf={(event) => event.id}
        empty={
          <Empty title="Nothing has happened yet">
            <p>What opens, what is resolved and what changes stands here from the first look on.</p>
          </Empty>
        }
        columns={[
          { name: 'When', cell: (event) => <Time at={event.at} /> },
          { name: 'What', cell: (event) => <What of={event} onPick={onPick} /> },
        ]}
      />
    </section>
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
      {type === 'finding.resolved' ? <span class="valid">{WORDS[type]}</span> : WORDS[type]}
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
      {type === 'facts.changed' && runId !== null && (
        <button type="button" class="quiet" onClick={() => onPick(runId)}>
          See what
        </button>
      )}
    </span>
  );
}
