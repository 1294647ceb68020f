import { useSignal } from '@preact/signals';
import { ActionButton } from '../parts/action.js';
import { announce } from '../parts/announcer.js';
import { Dialog } from '../parts/dialog.js';
import { FailureNote } from '../parts/failure.js';
import { count, counted } from '../parts/figures.js';
import { useLoad } from '../parts/load.js';
import { Empty, PagedTable, Table, Waiting, type Part } from '../parts/paged-table.js';
import { Time } from '../parts/time.js';
import { type Account, api, take } from '../session/api.js';
import { linkTo } from '../parts/link.js';
import { may } from '../session/session.js';
import { everyDays, requestOf, type Schedule, ScheduleForm } from './schedule.js';

interface Question {
  readonly about: Schedule;
  readonly what: 'change' | 'changes' | 'delete';
}

/** Lists that are checked again and again. */
export function SchedulesScreen() {
  const { data, failure, reload } = useLoad((signal) => take(api.GET('/api/v1/schedules', { signal })));
  const question = useSignal<Question | null>(null);
  const ask = (about: Schedule, what: Question['what']) => (question.value = { about, what });
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
        columns={[
          { name: 'List', cell: ({ list_id: id, name }) => <a href={linkTo(`/batches/${id}`)}>{name}</a> },
          { name: 'Runs', cell: ({ every_days: days }) => everyDays(days) },
          { name: 'Asks about', cell: ({ verdicts }) => verdicts?.join(', ') ?? 'all' },
          {
            name: 'Most of a run',
            cell: ({ max_credits: most }) => (most === null ? 'no ceiling' : counted(most, 'credit')),
          },
          { name: 'Next', cell: ({ next_run_at: at }) => <Time at={at} none="paused" /> },
          { name: 'Last', cell: (one) => <LastRun of={one} onChanges={() => ask(one, 'changes')} /> },
          {
            name: 'Change it',
            cell: (one) => (
              <div class="actions tight">
                {may('batches') && <PauseOrGoOn of={one} onChanged={reload} />}
                {may('batches') && (
                  <button
                    type="button"
                    class="small"
                    aria-label={`Change the schedule of ${one.name}`}
                    onClick={() => ask(one, 'change')}
                  >
                    Change
                  </button>
                )}
                <button
                  type="button"
                  class="small danger"
                  aria-label={`Delete the schedule of ${one.name}`}
                  onClick={() => ask(one, 'delete')}
                >
                  Delete
                </button>
              </div>
            ),
          },
        ]}
        empty={
          <Empty title="No list is checked again">
            <p>Open a list that is done, and choose “Check it again and again”.</p>
            <a class="button" href={linkTo('/batches')}>
              Lists
            </a>
          </Empty>
        }
      />
      {question.value !== null && (
        <Answer to={question.value} onClose={() => (question.value = null)} onChanged={reload} />
      )}
    </>
  );
}

interface LastRunProps {
  readonly of: Schedule;
  readonly onChanges: () => void;
}

function LastRun({ of: { last_run: run, name }, onChanges }: LastRunProps) {
  if (run === null) return <>not yet</>;
  return (
    <>
      <Time at={run.at} />: {run.status}
      {run.reason !== null && ` (${run.reason.replaceAll('_', ' ')})`}
      {run.batch_id !== null && (
        <>
          , <a href={linkTo(`/batches/${run.batch_id}`)}>its rows</a>
        </>
      )}
      {run.changed !== null && run.changed > 0 && may('results') && (
        <button type="button" class="small" aria-label={`Changes in ${name}`} onClick={onChanges}>
          {count(run.changed)} changed
        </button>
      )}
      {run.changed === 0 && ', nothing changed'}
    </>
  );
}

function PauseOrGoOn({ of, onChanged }: Part<Schedule>) {
  const { list_id: id, enabled } = of;
  const turn = async () => {
    const body = { ...requestOf(of), enabled: !enabled };
    await take(api.POST('/api/v1/lists/{id}/schedule', { params: { path: { id } }, body }));
    announce(enabled ? 'The schedule is paused.' : 'The schedule goes on.');
    await onChanged();
  };
  return (
    <ActionButton class="small" onAct={turn}>
      {enabled ? 'Pause' : 'Go on'}
    </ActionButton>
  );
}

interface AnswerProps {
  readonly to: Question;
  readonly onClose: () => void;
  readonly onChanged: () => Promise<void>;
}

function Answer({ to: { about, what }, onClose, onChanged }: AnswerProps) {
  const { list_id: id, name } = about;
  if (what === 'changes') return <ChangesDialog listId={id} name={name} onClose={onClose} />;
  if (what === 'change') return <ScheduleForm listId={id} schedule={about} onClose={onClose} onSet={onChanged} />;
  const remove = async () => {
    await take(api.DELETE('/api/v1/lists/{id}/schedule', { params: { path: { id } } }));
    announce('The schedule is deleted.');
    await onChanged();
    onClose();
  };
  return (
    <Dialog title={`Delete the schedule of ${name}?`} onClose={onClose}>
      <p>No further run begins. The list itself stays, and is kept for its retention from now on.</p>
      <ActionButton class="danger" onAct={remove}>
        Delete the schedule
      </ActionButton>
    </Dialog>
  );
}

type Verdict = Account['schemas']['AnswerReply'];

interface ChangesDialogProps {
  readonly listId: number;
  readonly name: string;
  readonly onClose: () => void;
}

/** Whose verdict the newest run of a list has changed. */
export function ChangesDialog({ listId, name, onClose }: ChangesDialogProps) {
  return (
    <Dialog title={`Changes in ${name}`} onClose={onClose}>
      <PagedTable
        label="Changes"
        on={[listId]}
        load={(cursor, signal) =>
          take(api.GET('/api/v1/lists/{id}/changes', { params: { path: { id: listId }, query: { cursor } }, signal }))
        }
        rows={(page) => page.changes}
        keyOf={({ email }) => email}
        empty={<Empty title="The newest run has changed no verdict" />}
        columns={[
          { name: 'Address', cell: ({ email }) => <span class="mono wrap">{email}</span> },
          { name: 'Before', cell: ({ before }) => <AnswerCell of={before} /> },
          { name: 'Now', cell: ({ after }) => <AnswerCell of={after} /> },
        ]}
      />
    </Dialog>
  );
}

function AnswerCell({ of: { verdict, reason } }: { readonly of: Verdict }) {
  return (
    <>
      <span class={`badge ${verdict}`}>{verdict}</span> {reason.replaceAll('_', ' ')}
    </>
  );
}
