import { useSignal } from '@preact/signals';
import { ActionButton, SelectField } from '../parts/form.js';
import { announce } from '../parts/announcer.js';
import { Findings } from './findings.js';
import { Empty, type Part, Section, useLoad, WhenLoaded } from '../parts/listing.js';
import { Time } from '../parts/values.js';
import { type Account, api } from '../session/api.js';
import type { Monitor } from './monitors-screen.js';
import { Mute, muteList, Until } from './mutes.js';

type MonitorFinding = Account['schemas']['MonitorFindingReply'];
type Shown = 'open' | 'suspected' | 'resolved';

const PAGE_SIZE = 100;
/** What was not seen by the last look alone is still open. */
const STATES: Readonly<Record<Shown, readonly MonitorFinding['state'][]>> = {
  open: ['open', 'clearing'],
  suspected: ['suspected'],
  resolved: ['resolved'],
};
const harmOf = ({ severity }: MonitorFinding): number => ['critical', 'warning', 'info'].indexOf(severity);
const NOTHING: Readonly<Record<Shown, string>> = {
  open: 'Nothing is wrong',
  suspected: 'Nothing is suspected',
  resolved: 'Nothing was wrong before',
};
const EXPLAINED: Readonly<Record<Shown, string>> = {
  open: 'What breaks from now on stands here with what to publish, once two looks have seen it.',
  suspected: 'What one look has seen alone stands here until the next one has confirmed it, or not.',
  resolved: 'What was open once and is well again stands here.',
};

interface MonitorFindingsProps extends Part<Monitor> {
  /** Asked for anew when it changes. */
  readonly on: string;
}

/** What is wrong with a target, with each record to publish and each finding to mute. */
export function MonitorFindings({ of: monitor, on, onChanged }: MonitorFindingsProps) {
  const { id } = monitor;
  const shown = useSignal<Shown>('open');
  const loaded = useLoad(
    async (signal) => {
      const pages = await Promise.all(
        STATES[shown.value].map((state) => {
          const params = { path: { id }, query: { state, limit: PAGE_SIZE } };
          return api.get('/api/v1/monitors/{id}/findings', { ...params, signal });
        }),
      );
      return pages.flatMap(({ findings }) => findings).toSorted((a, b) => harmOf(a) - harmOf(b));
    },
    [id, on, shown.value],
  );
  const changed = async () => {
    await Promise.all([loaded.reload(), onChanged()]);
  };
  return (
    <Section id="findings" title="Findings">
      <div class="row">
        <SelectField
          label="Findings that are"
          value={shown}
          options={['open', ['suspected', 'suspected: seen once, looked for again soon'], 'resolved']}
        />
      </div>
      <WhenLoaded of={loaded}>
        {(findings) =>
          findings.length === 0 ? (
            <Empty title={NOTHING[shown.value]}>
              <p>{EXPLAINED[shown.value]}</p>
            </Empty>
          ) : (
            <Findings of={findings} about={(finding) => <About of={finding} monitor={monitor} onChanged={changed} />} />
          )
        }
      </WhenLoaded>
    </Section>
  );
}

/** Since when it is known, and whether its owner wants to hear of it. */
function About({ of, monitor, onChanged }: Part<MonitorFinding> & { readonly monitor: Monitor }) {
  const list = of.evidence['list'];
  const mutedList = monitor.muted_lists.find((one) => one.list === list);
  const isMuted = of.muted_until !== null && Date.parse(of.muted_until) > Date.now();
  const mute = async (muted_until: string | null, note: string | null) => {
    const params = { path: { id: monitor.id, finding_id: of.id } };
    await api.patch('/api/v1/monitors/{id}/findings/{finding_id}', { ...params, body: { muted_until, note } });
    announce(muted_until === null ? 'You will be told of it.' : 'It is muted.');
    await onChanged();
  };
  return (
    <div class="actions">
      <span class="hint">
        Seen since <Time at={of.first_seen_at} />
        {of.resolved_at !== null && (
          <>
            , resolved <Time at={of.resolved_at} />
          </>
        )}
        {of.state === 'clearing' && ', not seen by the last look'}
        {of.flapping && ', comes and goes: you are told once a day'}
        {isMuted && (
          <>
            , muted <Until at={of.muted_until!} />
          </>
        )}
        {of.note !== null && ` (${of.note})`}
        {mutedList !== undefined && (
          <>
            ; <a href="#muted">all of this list is muted</a> <Until at={mutedList.muted_until} />
          </>
        )}
      </span>
      {isMuted && (
        <ActionButton class="small" onAct={() => mute(null, of.note)}>
          Tell me of it again
        </ActionButton>
      )}
      {!isMuted && of.state !== 'resolved' && <Mute action="Mute" title="Mute this finding" onMute={mute} />}
      {typeof list === 'string' && mutedList === undefined && of.state !== 'resolved' && (
        <Mute
          action="Mute the list"
          title={`Mute all that ${list} says`}
          onMute={async (until, note) => {
            await muteList(monitor.id, list, until, note);
            await onChanged();
          }}
        />
      )}
    </div>
  );
}
