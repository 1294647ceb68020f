import { useSignal } from '@preact/signals';
import { Switch } from '../parts/dialog.js';
import { TextField, timeIn } from '../parts/form.js';
import { FailureNote } from '../parts/failure.js';
import { type Part, Table, useLoad, Waiting } from '../parts/listing.js';
import { Time } from '../parts/values.js';
import { type Admin, adminApi } from '../session/api.js';

type Operator = Admin['schemas']['OperatorReply'];

/** Mail operators, and which of them the service leaves alone. */
export function OperatorsScreen() {
  const { data, failure, reload } = useLoad((signal) => adminApi.get('/admin/v1/operators', { signal }));
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
        columns={{
          Operator: ({ name, title }) => title ?? name,
          State: (one) => <OperatorState of={one} />,
          '': (one) => <PauseOrResume of={one} onChanged={reload} />,
          Until: ({ paused }) => (paused === null ? '' : <Time at={paused.until} none="resumed by hand" />),
          Why: ({ paused }) => (paused === null ? '' : `${paused.reason} (${paused.by})`),
        }}
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
  const path = { id: name };
  const pause = (reason: string) => {
    const body = { reason, until: timeIn(until) };
    return adminApi.post('/admin/v1/operators/{id}/pause', { path, body });
  };
  return (
    <Switch
      isOff={paused !== null}
      on={{ action: 'Resume', onAct: () => adminApi.post('/admin/v1/operators/{id}/resume', { path }) }}
      off={{
        action: 'Pause',
        title: `Pause ${title ?? name}`,
        onAct: pause,
        fields: <TextField label="Until (empty: until somebody resumes it)" type="datetime-local" value={until} />,
      }}
      onDone={onChanged}
    />
  );
}
