import { useSignal } from '@preact/signals';
import { type Account, api, take } from '../session/api.js';
import { FailureNote } from '../parts/failure.js';
import { useLoad } from '../parts/load.js';
import { Time } from '../parts/time.js';
import { linkTo } from '../parts/link.js';
import { announce } from '../parts/announcer.js';
import { ActionForm } from '../parts/action.js';
import { Dialog } from '../parts/dialog.js';
import { SelectField, TextField } from '../parts/field.js';

export type Schedule = Account['schemas']['NamedScheduleReply'];
export type ScheduleRequest = Account['schemas']['ListScheduleRequest'];

/** What the API is sent for a schedule as it is: it is always set whole. */
export function requestOf({ every_days, verdicts, reuse_days, max_credits, enabled }: Schedule): ScheduleRequest {
  return { every_days, verdicts, reuse_days, max_credits, enabled };
}

export const everyDays = (days: number): string => (days === 1 ? 'every day' : `every ${days} days`);

/** Whether the list is checked again, and the button that has it done. */
export function ScheduleOfList({ listId }: { readonly listId: number }) {
  const { data, failure, reload } = useLoad((signal) => take(api.GET('/api/v1/schedules', { signal })), [listId]);
  const isOpen = useSignal(false);
  if (failure.value !== null) return <FailureNote failure={failure.value} />;
  if (data.value === null) return null;
  const schedule = data.value.schedules.find(({ list_id: id }) => id === listId) ?? null;
  return (
    <section aria-labelledby="schedule">
      <h2 id="schedule">Schedule</h2>
      <p>
        {schedule === null ? (
          'Mailboxes come and go: a list can be checked again every so many days.'
        ) : (
          <>
            Checked {everyDays(schedule.every_days)}, next <Time at={schedule.next_run_at} none="time: paused" />.{' '}
            <a href={linkTo('/schedules')}>All schedules</a>
          </>
        )}
      </p>
      <button type="button" onClick={() => (isOpen.value = true)}>
        {schedule === null ? 'Check it again and again' : 'Change the schedule'}
      </button>
      {isOpen.value && (
        <ScheduleForm listId={listId} schedule={schedule} onClose={() => (isOpen.value = false)} onSet={reload} />
      )}
    </section>
  );
}

const MAX_EVERY_DAYS = 365;
const MAX_REUSE_DAYS = 90;
const USUAL_DAYS = 30;
const ASKED = [
  ['', 'all addresses'],
  ['valid', 'valid and unknown ones'],
  ['valid,risky', 'valid, risky and unknown ones'],
  ['risky', 'risky and unknown ones'],
] as const;

interface ScheduleFormProps {
  readonly listId: number;
  /** What is set now; null: nothing. */
  readonly schedule: Schedule | null;
  readonly onClose: () => void;
  readonly onSet: () => Promise<void>;
}

/** When a list is checked again, of whom it asks, and what a run may cost. */
export function ScheduleForm({ listId, schedule, onClose, onSet }: ScheduleFormProps) {
  const days = useSignal(String(schedule?.every_days ?? USUAL_DAYS));
  const asked = useSignal<string>(schedule?.verdicts?.join(',') ?? '');
  const reuse = useSignal(String(schedule?.reuse_days ?? 0));
  const most = useSignal(schedule?.max_credits?.toString() ?? '');
  const own = ASKED.some(([value]) => value === asked.value) ? [] : [[asked.value, asked.value] as const];
  const set = async () => {
    const body: ScheduleRequest = {
      every_days: Number(days.value),
      verdicts: asked.value === '' ? null : (asked.value.split(',') as NonNullable<ScheduleRequest['verdicts']>),
      reuse_days: Number(reuse.value),
      max_credits: most.value.trim() === '' ? null : Number(most.value),
      enabled: schedule?.enabled ?? true,
    };
    await take(api.POST('/api/v1/lists/{id}/schedule', { params: { path: { id: listId } }, body }));
    announce(`The list is checked ${everyDays(body.every_days ?? 0)}.`);
    await onSet();
    onClose();
  };
  return (
    <Dialog title="Check it again and again" onClose={onClose}>
      <ActionForm action="Set" onAct={set}>
        <TextField label="Every so many days" type="number" value={days} min={1} max={MAX_EVERY_DAYS} required />
        <SelectField
          label="Ask again about"
          value={asked}
          options={[...ASKED, ...own]}
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
    </Dialog>
  );
}
