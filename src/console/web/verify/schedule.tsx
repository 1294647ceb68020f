import { useSignal } from '@preact/signals';
import { type Account, api } from '../session/api.js';
import { FailureNote } from '../parts/failure.js';
import { Section, useLoad } from '../parts/listing.js';
import { Time } from '../parts/values.js';
import { Opener } from '../parts/dialog.js';
import { ActionForm, SelectField, TextField } from '../parts/form.js';

export type Schedule = Account['schemas']['NamedScheduleReply'];
export type ScheduleRequest = Account['schemas']['ListScheduleRequest'];

/** What the API is sent for a schedule as it is: it is always set whole. */
export function requestOf({ every_days, verdicts, reuse_days, max_credits, enabled }: Schedule): ScheduleRequest {
  return { every_days, verdicts, reuse_days, max_credits, enabled };
}

export const everyDays = (days: number): string => (days === 1 ? 'every day' : `every ${days} days`);

/** Whether the list is checked again, and the button that has it done. */
export function ScheduleOfList({ listId }: { readonly listId: number }) {
  const { data, failure, reload } = useLoad((signal) => api.get('/api/v1/schedules', { signal }), [listId]);
  if (failure.value !== null) return <FailureNote failure={failure.value} />;
  if (data.value === null) return null;
  const schedule = data.value.schedules.find(({ list_id: id }) => id === listId) ?? null;
  return (
    <Section id="schedule" title="Schedule">
      <p>
        {schedule === null ? (
          'Mailboxes come and go: a list can be checked again every so many days.'
        ) : (
          <>
            Checked {everyDays(schedule.every_days)}, next <Time at={schedule.next_run_at} none="time: paused" />.{' '}
            <a href="/console/schedules">All schedules</a>
          </>
        )}
      </p>
      <Opener
        action={schedule === null ? 'Check it again and again' : 'Change the schedule'}
        title="Check it again and again"
      >
        {(close) => <ScheduleForm listId={listId} schedule={schedule} onSet={() => reload().then(close)} />}
      </Opener>
    </Section>
  );
}

const MAX_EVERY_DAYS = 365;
const MAX_REUSE_DAYS = 90;
const USUAL_DAYS = 30;
const ANSWERS = [
  ['', 'all addresses'],
  ['valid', 'valid and unknown ones'],
  ['valid,risky', 'valid, risky and unknown ones'],
  ['risky', 'risky and unknown ones'],
] as const;

interface ScheduleFormProps {
  readonly listId: number;
  /** What is set now; null: nothing. */
  readonly schedule: Schedule | null;
  readonly onSet: () => Promise<void>;
}

/** When a list is checked again, of whom it asks, and what a run may cost. */
export function ScheduleForm({ listId, schedule, onSet }: ScheduleFormProps) {
  const days = useSignal(String(schedule?.every_days ?? USUAL_DAYS));
  const asked = useSignal<string>(schedule?.verdicts?.join(',') ?? '');
  const reuse = useSignal(String(schedule?.reuse_days ?? 0));
  const most = useSignal(schedule?.max_credits?.toString() ?? '');
  const own = ANSWERS.some(([value]) => value === asked.value) ? [] : [[asked.value, asked.value] as const];
  const set = async () => {
    const body: ScheduleRequest = {
      every_days: Number(days.value),
      verdicts: asked.value === '' ? null : (asked.value.split(',') as NonNullable<ScheduleRequest['verdicts']>),
      reuse_days: Number(reuse.value),
      max_credits: most.value.trim() === '' ? null : Number(most.value),
      enabled: schedule?.enabled ?? true,
    };
    await api.post('/api/v1/lists/{id}/schedule', { path: { id: listId }, body });
    return `The list is checked ${everyDays(body.every_days ?? 0)}.`;
  };
  return (
    <>
      <ActionForm action="Set" onAct={set} onDone={onSet}>
        <TextField label="Every so many days" type="number" value={days} min={1} max={MAX_EVERY_DAYS} required />
        <SelectField
          label="Ask again about"
          value={asked}
          options={[...ANSWERS, ...own]}
          hint="The others keep their verdict, for nothing."
        />
        <TextField
          label="Take the account's own verdicts that are at most so many days old"
          type="number"
          value={reuse}
          min={0}
          max={MAX_REUSE_DAYS}
          required
        />
        <TextField
          label="Most credits for one run (empty: whatever it costs)"
          type="number"
          value={most}
          min={0}
          hint="A run that may cost more is skipped."
        />
      </ActionForm>
      <p class="hint">While it is scheduled, the list is not deleted.</p>
    </>
  );
}
