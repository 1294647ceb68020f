import { Badge, count, counted, Facts, Time } from '../parts/values.js';
import { type Columns, Empty, ReloadTitle, Section, Table, useLoad, WhenLoaded } from '../parts/listing.js';
import { type Admin, adminApi } from '../session/api.js';

type Workers = Admin['schemas']['WorkersReply'];
type MailList = Admin['schemas']['MailListReply'];
type Operator = Admin['schemas']['OperatorReply'];

/** Who works, what waits, who refuses us, and by which lists domains are judged. */
export function HealthScreen() {
  const loaded = useLoad(async (signal) => {
    const [work, operators, { lists }] = await Promise.all([
      adminApi.get('/admin/v1/workers', { signal }),
      adminApi.get('/admin/v1/operators', { signal }),
      adminApi.get('/admin/v1/lists', { signal }),
    ]);
    return { work, operators: operators.operators, lists };
  });
  return (
    <>
      <ReloadTitle title="Health" of={loaded} />
      <WhenLoaded of={loaded}>
        {(health) => (
          <>
            <Queues of={health.work} />
            <ResolverDoubts of={health.work} />
            <Port25 of={health.work} />
            <WorkersTable of={health.work} />
            <Breakers of={health.operators} />
            <Lists of={health.lists} />
          </>
        )}
      </WhenLoaded>
    </>
  );
}

function Queues({ of: { queues, unworked_regions: unworked } }: { readonly of: Workers }) {
  return (
    <Section id="queues" title="What waits" class="card">
      <Facts
        of={{
          'Batches that nobody has begun': count(queues.batches_queued),
          'Batches at work': count(queues.batches_processing),
          Chunks: `${count(queues.chunks_due)} due, ${count(queues.chunks_leased)} at a worker, ${count(queues.chunks_later)} later`,
          ...Object.fromEntries(
            unworked.map(({ region, batches }): [string, string] => [
              `Region ${region}`,
              `${counted(batches, 'batch', 'batches')} waiting, and no worker of it is alive`,
            ]),
          ),
          Deliveries: `${count(queues.deliveries_due)} due, ${count(queues.deliveries_later)} later`,
          'The oldest due one waits since': queues.oldest_delivery_due_at && (
            <Time at={queues.oldest_delivery_due_at} />
          ),
        }}
      />
    </Section>
  );
}

function Port25({ of: { port_25: machines } }: { readonly of: Workers }) {
  return (
    <Section id="port25" title="Port 25">
      <Table
        label="Port 25"
        rows={machines}
        keyOf={({ machine, state }) => `${machine} ${state}`}
        columns={{
          Machine: ({ machine }) => <span class="mono wrap">{machine}</span>,
          'Port 25': ({ state }) => <Badge isGood={state === 'open'}>{state}</Badge>,
          Since: ({ since }) => <Time at={since} />,
          'A mail host answered': ({ answered_at: at }) => <Time at={at} none="none did" />,
          Processes: ({ processes }) => processes,
        }}
        empty={
          <Empty title="Not known yet">
            <p>
              No mail host was asked since the service was started. <code>npm run doctor -- --port25-target HOST</code>{' '}
              asks one.
            </p>
          </Empty>
        }
      />
      {machines.some(({ state }) => state === 'blocked') && (
        <p class="error">
          No connection to a mail host leaves a machine that is blocked, so its mailboxes are unknown,{' '}
          <code>port25_blocked</code>. Its provider has to open outgoing port 25.
        </p>
      )}
    </Section>
  );
}

export const LIES = { denies: 'denies what exists', makes_up: 'makes up what does not' } as const;

/** Nothing while all are believed. */
function ResolverDoubts({ of: { resolver_doubts: machines } }: { readonly of: Workers }) {
  if (machines.length === 0) return null;
  return (
    <Section id="resolvers" title="DNS resolvers that lie">
      <Table
        label="DNS resolvers that lie"
        rows={machines}
        keyOf={({ machine, finding }) => `${machine} ${finding}`}
        columns={{
          Machine: ({ machine }) => <span class="mono wrap">{machine}</span>,
          'The resolver': ({ finding }) => <Badge isGood={false}>{LIES[finding]}</Badge>,
          Since: ({ since }) => <Time at={since} />,
          Processes: ({ processes }) => processes,
        }}
      />
      <p class="error">
        What needs the DNS is unknown on these machines, and free, until their resolvers tell the truth.{' '}
        <code>npm run doctor</code> tests them.
      </p>
    </Section>
  );
}

function WorkersTable({ of: { workers } }: { readonly of: Workers }) {
  return (
    <Section id="workers" title="Workers">
      <Table
        label="Workers"
        rows={workers}
        columns={{
          Worker: ({ id }) => String(id),
          Since: ({ since }) => <Time at={since} />,
          Region: ({ region }) => region ?? 'none',
          Batches: ({ batches }) => batches,
          Chunks: ({ chunks }) => chunks,
          Addresses: ({ items }) => items,
          'Lease until': ({ lease_ends_at: at }) => <Time at={at} none="has none" />,
        }}
        empty="No worker is alive"
        emptyHint="Lists wait until one is started."
      />
    </Section>
  );
}

function Breakers({ of: operators }: { readonly of: readonly Operator[] }) {
  const open = operators.flatMap((one) => one.circuits.map((circuit) => ({ ...circuit, name: one.title ?? one.name })));
  const paused = operators.filter((one) => one.paused !== null).length;
  return (
    <Section id="breakers" title="Mail operators that refuse us">
      <Table
        label="Mail operators that refuse us"
        rows={open}
        keyOf={({ name, source }) => `${name} ${source}`}
        columns={{ Operator: ({ name }) => name, ...CIRCUIT_COLUMNS }}
        empty="None"
      />
      <p>
        {paused > 0 && `${counted(paused, 'operator')} paused. `}
        <a href="/console/operators">All mail operators</a>
      </p>
    </Section>
  );
}

function Lists({ of: lists }: { readonly of: readonly MailList[] }) {
  return (
    <Section id="lists" title="Lists of domains">
      <Table
        label="Lists of domains"
        rows={lists}
        keyOf={({ file }) => file}
        columns={{
          File: ({ file }) => <span class="mono">{file}</span>,
          Entries: ({ entries }) => entries,
          Built: ({ built_on: on, age_days: days }) =>
            on === null ? 'kept by hand' : `${on}${days === null ? '' : `, ${counted(days, 'day')} ago`}`,
          'Changed here': ({ changed_at: at }) => <Time at={at} />,
          Version: ({ version }) => <code>{version}</code>,
        }}
      />
    </Section>
  );
}

type Circuit = Admin['schemas']['OperatorCircuitBody'];

/** What is told of a source of ours that an operator refuses. */
const CIRCUIT_COLUMNS: Columns<Circuit> = {
  From: ({ source }) => <span class="mono">{source}</span>,
  Address: ({ address }) => <span class="mono">{address}</span>,
  Refusals: ({ refusals }) => refusals,
  'Last one': ({ last_refusal: said }) => <span class="mono">{said}</span>,
  'Left alone until': ({ open_until: until }) => <Time at={until} />,
  Processes: ({ processes }) => processes,
};
