import { Listing, Section } from '../parts/listing.js';
import { StateBadge, Time } from '../parts/values.js';
import { api } from '../session/api.js';
import { type Happening, happeningsIn, type MonitorEvent, textsIn } from './incidents.js';

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

const PAGE_SIZE = 100;

/** Everything that happened to a target, each incident as one, newest first; none of it is ever changed. */
export function MonitorTimeline({ id, on, onPick }: MonitorTimelineProps) {
  return (
    <Section id="timeline" title="Timeline">
      <Listing
        label="Timeline"
        on={[id, on]}
        load={async (page) => {
          const asked = page({ limit: PAGE_SIZE });
          const { events, next_cursor } = await api.get('/api/v1/monitors/{id}/events', { path: { id }, ...asked });
          return { next_cursor, rows: happeningsIn(events, asked.query.cursor === undefined, Date.now()) };
        }}
        rows="rows"
        empty="Nothing has happened yet"
        emptyHint="What opens, what is resolved and what changes stands here from the first look on."
        columns={{
          When: ({ events }) => <Time at={events.at(-1)!.at} />,
          What: (happening) => <WhatHappened of={happening} onPick={onPick} />,
        }}
      />
    </Section>
  );
}

interface HappeningProps extends Pick<MonitorTimelineProps, 'onPick'> {
  readonly of: Happening;
}

/** An incident under one heading, from its first sign to its end; anything else is one line. */
function WhatHappened({ of: { title, span, events }, onPick }: HappeningProps) {
  if (title === null) return <What of={events[0]!} onPick={onPick} />;
  return (
    <>
      <p class="verdict">
        <strong class="mono wrap">{title}</strong>
        <span class="hint">{span}</span>
      </p>
      <ol class="plain">
        {events.map((event) => (
          <li key={event.id} class="verdict">
            <Time at={event.at} /> <What of={event} onPick={onPick} />
          </li>
        ))}
      </ol>
    </>
  );
}

interface WhatProps extends Pick<MonitorTimelineProps, 'onPick'> {
  readonly of: MonitorEvent;
}

function What({ of: { type, data, run_id: runId }, onPick }: WhatProps) {
  const [state, before] = [textsIn(data, 'after') || textsIn(data, 'severity'), textsIn(data, 'before')];
  return (
    <span class="verdict">
      {type === 'finding.resolved' ? <span class="valid">{LABELS[type]}</span> : LABELS[type]}
      {before !== '' && (
        <>
          <StateBadge state={before} />
          <span aria-hidden="true">→</span>
          <span class="visually-hidden">then</span>
        </>
      )}
      {state !== '' && <StateBadge state={state} />}
      <span class="mono wrap">{textsIn(data, 'list')}</span>
      {textsIn(data, 'unanswered_why')}
      {type === 'facts.changed' && runId !== null && (
        <button type="button" class="quiet" onClick={() => onPick(runId)}>
          See what
        </button>
      )}
    </span>
  );
}
