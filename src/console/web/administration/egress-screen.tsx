import { Reasoned } from '../parts/dialog.js';
import { ActionButton } from '../parts/form.js';
import { count, counted, Facts, Time } from '../parts/values.js';
import { type Part, ReloadTitle, Table, useLoad, WhenLoaded } from '../parts/listing.js';
import { type Admin, adminApi } from '../session/api.js';
import { CONDITIONS, EgressGrid, LastReply, REFUSAL_LABELS, SourcesAtAGlance } from './egress-grid.js';

type Source = Admin['schemas']['EgressSourceReply'];
type Check = Admin['schemas']['SourceCheckBody'];

const STATES: Readonly<Record<Check['state'], string>> = { pass: 'valid', fail: 'invalid', unknown: 'unknown' };
export const CHECKS: Readonly<Record<Check['check'], string>> = {
  helo: 'HELO',
  reverse_name: 'Reverse name',
  spf: 'SPF',
  port_25: 'Port 25',
  block_lists: 'Block lists',
};

/** The addresses that mail hosts are asked from: how they look from outside, and which operators refuse which of them. */
export function EgressScreen() {
  const loaded = useLoad(async (signal) => {
    const [{ sources }, { operators }] = await Promise.all([
      adminApi.get('/admin/v1/egress', { signal }),
      adminApi.get('/admin/v1/operators', { signal }),
    ]);
    return { sources, operators };
  });
  return (
    <>
      <ReloadTitle title="Egress" of={loaded} />
      <p>
        The addresses that mail hosts are asked from. <a href="/docs/guides/egress">How to set them up</a>
      </p>
      <WhenLoaded of={loaded}>
        {({ sources, operators }) => (
          <>
            <SourcesAtAGlance sources={sources} />
            <EgressGrid sources={sources} operators={operators} />
            {sources.map((source) => (
              <SourceCard key={source.name} of={source} onChanged={loaded.reload} />
            ))}
          </>
        )}
      </WhenLoaded>
    </>
  );
}

function SourceCard({ of: source, onChanged }: Part<Source>) {
  const id = `source-${source.name}`;
  const faults = source.processes.filter(({ fault }) => fault !== null);
  return (
    <section class="card" aria-labelledby={id}>
      <div class="title-line">
        <h2 id={id}>{source.name}</h2>
        <span class={`badge ${CONDITIONS[source.condition]}`}>{source.condition}</span>
      </div>
      <Facts
        of={{
          Why: source.reason === null ? null : `${source.reason}${source.by === null ? '' : ` (${source.by})`}`,
          Since: source.stopped_at && <Time at={source.stopped_at} />,
          Address: <AddressOf source={source} />,
          'HELO name': <span class="mono wrap">{source.helo}</span>,
          'MAIL FROM': <span class="mono wrap">{source.mail_from === '' ? '<>' : source.mail_from}</span>,
          Region: source.region,
          'Asks only': source.operators === null ? null : source.operators.join(', '),
          'Asks since': source.since && <Time at={source.since} />,
          'Warm-up':
            source.recipients_today === null
              ? null
              : `${counted(source.recipients_today, 'recipient')} to each operator today`,
          ...Object.fromEntries(
            source.recipients_today_at.map(
              ({ operator, recipients }) =>
                [`Warm-up at ${operator}`, `${counted(recipients, 'recipient')} today`] as const,
            ),
          ),
          'Processes that use it': count(source.processes.length),
        }}
        // A machine has several processes, each with a fault of its own.
        more={faults.map(({ machine, fault, resting_until: until }, at) => [
          `Fault at ${machine}`,
          <span key={at}>
            {fault}, tried again <Time at={until} />
          </span>,
        ])}
      />
      <Checks of={source} />
      <Refusals of={source} />
      <Acts of={source} onChanged={onChanged} />
    </section>
  );
}

function AddressOf({ source: { address, proxy } }: { readonly source: Source }) {
  if (proxy !== null) return <span class="mono wrap">{`proxy ${proxy}`}</span>;
  return address === null ? <>the system’s choice</> : <span class="mono wrap">{address}</span>;
}

function Checks({ of: { name, checks, listings } }: { readonly of: Source }) {
  if (checks.length === 0)
    return <p class="hint">Not looked at yet: a worker does it within seconds, and each quarter of an hour.</p>;
  return (
    <>
      <Table
        label={`What mail hosts see of ${name}`}
        rows={checks}
        keyOf={({ check }) => check}
        columns={{
          Check: ({ check }) => CHECKS[check],
          'What was found': ({ state, text }) => (
            <>
              <span class={`badge ${STATES[state]}`}>{state}</span> {text}
            </>
          ),
          When: ({ checked_at: at }) => <Time at={at} />,
        }}
      />
      {listings.length > 0 && (
        <Table
          label={`Block lists that have ${name}`}
          rows={listings}
          keyOf={({ list, address }) => `${list} ${address}`}
          columns={{
            List: ({ list }) => list,
            Address: ({ address }) => <span class="mono wrap">{address}</span>,
            'What it says': ({ text }) => text,
            'What follows': ({ harmful }) =>
              harmful ? (
                <>
                  <span class="badge invalid">harmful</span> mail hosts refuse whom it has: the source rests
                </>
              ) : (
                <>
                  <span class="badge risky">harmless</span> few mail hosts use it: nothing rests
                </>
              ),
            Since: ({ since }) => <Time at={since} />,
          }}
        />
      )}
    </>
  );
}

/** What mail hosts write is shown as text, and said to be theirs. */
function Refusals({ of: { name, refusals } }: { readonly of: Source }) {
  if (refusals.length === 0) return <p class="hint">No mail operator has refused it in the last 24 hours.</p>;
  return (
    <Table
      label={`Who refused ${name} in the last 24 hours`}
      rows={refusals}
      keyOf={({ operator, kind }) => `${operator} ${kind}`}
      columns={{
        Operator: ({ operator }) => <span class="wrap">{operator}</span>,
        'What for': ({ kind }) => REFUSAL_LABELS[kind],
        Times: ({ refusals: times }) => times,
        'Last words of the mail host': (refusal) => <LastReply of={refusal} />,
        When: ({ last_at: at }) => <Time at={at} />,
      }}
    />
  );
}

function Acts({ of: { name, condition }, onChanged }: Part<Source>) {
  const path = { id: name };
  return (
    <div class="actions">
      <ActionButton
        class="small"
        onAct={() => adminApi.post('/admin/v1/egress/{id}/test', { path })}
        onDone={onChanged}
      >
        Check {name} now
      </ActionButton>
      {condition === 'open' ? (
        <>
          <Reasoned
            action={`Drain ${name}`}
            submit="Drain it"
            class="small"
            onAct={(reason) => adminApi.post('/admin/v1/egress/{id}/drain', { path, body: { reason } })}
            onDone={onChanged}
          >
            <p>It asks only where it has to come back, as after greylisting; others ask in its place.</p>
          </Reasoned>
          <Reasoned
            action={`Pause ${name}`}
            submit="Pause it"
            class="small"
            onAct={(reason) => adminApi.post('/admin/v1/egress/{id}/pause', { path, body: { reason } })}
            onDone={onChanged}
          >
            <p>It asks nobody; what has to come back from it is asked from another source.</p>
          </Reasoned>
        </>
      ) : (
        <ActionButton
          class="small"
          onAct={() => adminApi.post('/admin/v1/egress/{id}/resume', { path })}
          onDone={onChanged}
        >
          Resume {name}
        </ActionButton>
      )}
    </div>
  );
}
