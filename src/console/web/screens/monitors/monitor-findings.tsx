import { useSignal } from '@preact/signals';
import { ActionButton, ActionForm } from '../../parts/action.js';
import { announce } from '../../parts/announcer.js';
import { Findings } from '../../parts/deliverability/findings.js';
import { Dialog } from '../../parts/dialog.js';
import { FailureNote } from '../../parts/failure.js';
import { SelectField, TextField } from '../../parts/field.js';
import { useLoad } from '../../parts/load.js';
import { Empty, Waiting } from '../../parts/paged-table.js';
import { Time } from '../../parts/time.js';
import { type Account, api, take } from '../../shell/api.js';

type MonitorFinding = Account['schemas']['MonitorFindingReply'];
type Shown = 'open' | 'suspected' | 'resolved';

const PAGE_SIZE = 100;
const DAY_MS = 24 * 3_600_000;
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

interface MonitorFindingsProps {
  readonly id: number;
  /** Asked for anew when it changes. */
  readonly on: string;
  readonly onChanged: () => Promise<void>;
}

/** What is wrong with a target, with each record to publish and each finding to mute. */
export function MonitorFindings({ id, on, onChanged }: MonitorFindingsProps) {
  const shown = useSignal<Shown>('open');
  const { data, failure, reload } = useLoad(
    async (signal) => {
      const pages = await Promise.all(
        STATES[shown.value].map((state) => {
          const params = { path: { id }, query: { state, limit: PAGE_SIZE } };
          return take(api.GET('/api/v1/monitors/{id}/findings', { params, signal }));
        }),
      );
      return pages.flatMap(({ findings }) => findings).toSorted((a, b) => harmOf(a) - harmOf(b));
    },
    [id, on, shown.value],
  );
  const changed = async () => {
    await Promise.all([reload(), onChanged()]);
  };
  return (
    <section aria-labelledby="findings">
      <h2 id="findings">Findings</h2>
      <div class="row">
        <SelectField
          label="Findings that are"
          value={shown}
          options={[
            ['open', 'open'],
            ['suspected', 'suspected: seen once, looked for again soon'],
            ['resolved', 'resolved'],
          ]}
        />
      </div>
      <FailureNote failure={failure.value} />
      {data.value === null ? (
        failure.value === null && <Waiting />
      ) : data.value.length === 0 ? (
        <Empty title={NOTHING[shown.value]}>
          <p>{EXPLAINED[shown.value]}</p>
        </Empty>
      ) : (
        <Findings of={data.value} about={(finding) => <About of={finding} monitorId={id} onChanged={changed} />} />
      )}
    </section>
  );
}

interface AboutProps {
  readonly of: MonitorFinding;
  readonly monitorId: number;
  readonly onChanged: () => Promise<void>;
}

/** Since when it is known, and whether its owner wants to hear of it. */
function About({ of, monitorId, onChanged }: AboutProps) {
  const isMuted = of.muted_until !== null && Date.parse(of.muted_until) > Date.now();
  const mute = async (muted_until: string | null, note: string | null) => {
    const params = { path: { id: monitorId, finding_id: of.id } };
    await take(api.PATCH('/api/v1/monitors/{id}/findings/{finding_id}', { params, body: { muted_until, note } }));
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
            , muted until <Time at={of.muted_until} />
          </>
        )}
        {of.note !== null && ` (${of.note})`}
      </span>
      {isMuted && (
        <ActionButton class="small" onAct={() => mute(null, of.note)}>
          Tell me of it again
        </ActionButton>
      )}
      {!isMuted && of.state !== 'resolved' && <Mute onMute={mute} />}
    </div>
  );
}

function Mute({ onMute }: { readonly onMute: (until: string, note: string | null) => Promise<void> }) {
  const isOpen = useSignal(false);
  const days = useSignal('7');
  const note = useSignal('');
  return (
    <>
      <button type="button" class="small" onClick={() => (isOpen.value = true)}>
        Mute
      </button>
      {isOpen.value && (
        <Dialog title="Mute this finding" onClose={() => (isOpen.value = false)}>
          <p>It stays in view, and nobody is told of it for a while.</p>
          <ActionForm
            action="Mute"
            onAct={async () => {
              const until = new Date(Date.now() + Number(days.value) * DAY_MS).toISOString();
              await onMute(until, note.value.trim() === '' ? null : note.value.trim());
              isOpen.value = false;
            }}
          >
            <SelectField
              label="For"
              value={days}
              options={[
                ['1', 'a day'],
                ['7', 'a week'],
                ['30', '30 days'],
                ['365', 'a year'],
              ]}
            />
            <TextField label="Note" value={note} maxLength={1_000} hint="Why, for whoever looks at it later." />
          </ActionForm>
        </Dialog>
      )}
    </>
  );
}
