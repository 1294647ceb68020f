import { useSignal } from '@preact/signals';
import { FailureNote } from '../../parts/failure.js';
import { useLoad } from '../../parts/load.js';
import { Time } from '../../parts/time.js';
import { api, take } from '../../shell/api.js';
import { linkTo } from '../../shell/routes.js';
import { everyDays } from './schedule.js';
import { ScheduleForm } from './schedule-form.js';

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
