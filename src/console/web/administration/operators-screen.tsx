import { useSignal } from '@preact/signals';
import { ActionButton } from '../parts/action.js';
import { Reasoned } from '../parts/dialog.js';
import { FailureNote } from '../parts/failure.js';
import { TextField } from '../parts/field.js';
import { useLoad } from '../parts/load.js';
import { type Part, Table, Waiting } from '../parts/paged-table.js';
import { Time } from '../parts/time.js';
import { type Admin, adminApi, take } from '../session/api.js';

type Operator = Admin['schemas']['OperatorReply'];

/** Mail operators, and which of them the service leaves alone. */
export function OperatorsScreen() {
  const { data, failure, reload } = useLoad((signal) => take(adminApi.GET('/admin/v1/operators', { signal })));
  if (failure.value !== null) return <FailureNote failure={failure.value} />;
  if (data.value === null) return <Waiting />;
  return (
    <>
      <h1>Mail operators</h1>
      <p>
        A paused operator is not connected to by any process: lists wait for it, and single addresses of it get{' '}
        <code>unknown</code>, which costs nothing.
      </p>
      <Table
        label="Mail operators"
        rows={data.value.operators.toSorted(
          (one, other) => Number(other.paused !== null) - Number(one.paused !== null),
        )}
        keyOf={({ name }) => name}
        columns={[
          { name: 'Operator', cell: ({ name, title }) => title ?? name },
          { name: 'State', cell: (one) => <OperatorState of={one} /> },
          { name: '', cell: (one) => <PauseOrResume of={one} onChanged={reload} /> },
          {
            name: 'Until',
            cell: ({ paused }) => (paused === null ? '' : <Time at={paused.until} none="resumed by hand" />),
          },
          { name: 'Why', cell: ({ paused }) => (paused === null ? '' : `${paused.reason} (${paused.by})`) },
        ]}
      />
    </>
  );
}

function OperatorState({ of: { paused, circuits } }: { readonly of: Operator }) {
  if (paused === null && circuits.length > 0) return <span class="badge invalid">refuses us</span>;
  return paused === null ? <span class="badge valid">asked</span> : <span class="badge risky">paused</span>;
}

function PauseOrResume({ of: { name, title, paused }, onChanged }: Part<Operator>) {
  const until = useSignal('');
  const params = { path: { id: name } };
  if (paused !== null)
    return (
      <ActionButton
        class="small"
        onAct={async () => {
          await take(adminApi.POST('/admin/v1/operators/{id}/resume', { params }));
          await onChanged();
        }}
      >
        Resume
      </ActionButton>
    );
  return (
    <Reasoned
      action="Pause"
      title={`Pause ${title ?? name}`}
      class="small"
      onAct={async (reason) => {
        const body = { reason, until: until.value === '' ? null : new Date(until.value).toISOString() };
        await take(adminApi.POST('/admin/v1/operators/{id}/pause', { params, body }));
        await onChanged();
      }}
      fields={<TextField label="Until (empty: until somebody resumes it)" type="datetime-local" value={until} />}
    />
  );
}
