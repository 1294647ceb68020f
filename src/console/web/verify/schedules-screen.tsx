import { FormDialog, Opener } from '../parts/dialog.js';
import { ActionButton } from '../parts/form.js';
import { FailureNote } from '../parts/failure.js';
import { count, counted, Time } from '../parts/values.js';
import { Empty, Listing, type Part, Table, useLoad, Waiting } from '../parts/listing.js';
import { type Account, api } from '../session/api.js';
import { may } from '../session/session.js';
import { everyDays, requestOf, type Schedule, ScheduleForm } from './schedule.js';

/** Lists that are checked again and again. */
export function SchedulesScreen() {
  const { data, failure, reload } = useLoad((signal) => api.get('/api/v1/schedules', { signal }));
  if (failure.value !== null) return <FailureNote failure={failure.value} />;
  if (data.value === null) return <Waiting />;
  const { schedules } = data.value;
  return (
    <>
      <h1>Schedules</h1>
      <Table
        label="Schedules"
        rows={schedules}
        keyOf={({ list_id: id }) => id}
        columns={{
          List: ({ list_id: id, name }) => <a href={`/console/batches/${id}`}>{name}</a>,
          Runs: ({ every_days: days }) => everyDays(days),
          'Asks about': ({ verdicts }) => verdicts?.join(', ') ?? 'all',
          'Most of a run': ({ max_credits: most }) => (most === null ? 'no ceiling' : counted(most, 'credit')),
          Next: ({ next_run_at: at }) => <Time at={at} none="paused" />,
          Last: (one) => <LastRun of={one} />,
          'Change it': (one) => (
            <div class="actions tight">
              {may('batches') && <PauseOrGoOn of={one} onChanged={reload} />}
              {may('batches') && (
                <Opener
                  action="Change"
                  label={`Change the schedule of ${one.name}`}
                  title="Check it again and again"
                  class="small"
                >
                  {(close) => <ScheduleForm listId={one.list_id} schedule={one} onSet={() => reload().then(close)} />}
                </Opener>
              )}
              <DeleteSchedule of={one} onChanged={reload} />
            </div>
          ),
        }}
        empty={
          <Empty title="No list is checked again">
            <p>Open a list that is done, and choose “Check it again and again”.</p>
            <a class="button" href="/console/batches">
              Lists
            </a>
          </Empty>
        }
      />
    </>
  );
}

function LastRun({ of: { last_run: run, list_id: id, name } }: { readonly of: Schedule }) {
  if (run === null) return <>not yet</>;
  return (
    <>
      <Time at={run.at} />: {run.status}
      {run.reason !== null && ` (${run.reason.replaceAll('_', ' ')})`}
      {run.batch_id !== null && (
        <>
          , <a href={`/console/batches/${run.batch_id}`}>its rows</a>
        </>
      )}
      {run.changed !== null && run.changed > 0 && may('results') && (
        <Opener
          action={`${count(run.changed)} changed`}
          label={`Changes in ${name}`}
          title={`Changes in ${name}`}
          class="small"
        >
          {() => <Changes listId={id} />}
        </Opener>
      )}
      {run.changed === 0 && ', nothing changed'}
    </>
  );
}

function PauseOrGoOn({ of, onChanged }: Part<Schedule>) {
  const { list_id: id, enabled } = of;
  const body = { ...requestOf(of), enabled: !enabled };
  return (
    <ActionButton
      class="small"
      onAct={() => api.post('/api/v1/lists/{id}/schedule', { path: { id }, body })}
      said={enabled ? 'The schedule is paused.' : 'The schedule goes on.'}
      onDone={onChanged}
    >
      {enabled ? 'Pause' : 'Go on'}
    </ActionButton>
  );
}

function DeleteSchedule({ of: { list_id: id, name }, onChanged }: Part<Schedule>) {
  return (
    <FormDialog
      action="Delete"
      label={`Delete the schedule of ${name}`}
      title={`Delete the schedule of ${name}?`}
      class="small danger"
      submit="Delete the schedule"
      isDangerous
      about={<p>No further run begins. The list itself stays, and is kept for its retention from now on.</p>}
      onAct={() => api.delete('/api/v1/lists/{id}/schedule', { path: { id } })}
      said="The schedule is deleted."
      onDone={onChanged}
    />
  );
}

type Verdict = Account['schemas']['AnswerReply'];

/** Whose verdict the newest run of a list has changed. */
function Changes({ listId }: { readonly listId: number }) {
  return (
    <Listing
      label="Changes"
      on={[listId]}
      load={(page) => api.get('/api/v1/lists/{id}/changes', { path: { id: listId }, ...page() })}
      rows="changes"
      keyOf={({ email }) => email}
      empty="The newest run has changed no verdict"
      columns={{
        Address: ({ email }) => <span class="mono wrap">{email}</span>,
        Before: ({ before }) => <AnswerCell of={before} />,
        Now: ({ after }) => <AnswerCell of={after} />,
      }}
    />
  );
}

function AnswerCell({ of: { verdict, reason } }: { readonly of: Verdict }) {
  return (
    <>
      <span class={`badge ${verdict}`}>{verdict}</span> {reason.replaceAll('_', ' ')}
    </>
  );
}
