import { useSignal } from '@preact/signals';
import { announce } from '../../parts/announcer.js';
import { ActionForm } from '../../parts/action.js';
import { Dialog } from '../../parts/dialog.js';
import { SelectField, TextField } from '../../parts/field.js';
import { api, take } from '../../shell/api.js';
import { everyDays, type Schedule, type ScheduleRequest } from './schedule.js';

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
