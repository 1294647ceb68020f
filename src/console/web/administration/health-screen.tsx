import { Facts } from '../parts/facts.js';
import { count, counted } from '../parts/figures.js';
import { useLoad } from '../parts/load.js';
import { type Column, Empty, ReloadTitle, Table, WhenLoaded } from '../parts/paged-table.js';
import { Time } from '../parts/time.js';
import { type Admin, adminApi, take } from '../session/api.js';
import { linkTo } from '../parts/link.js';

type Workers = Admin['schemas']['WorkersReply'];
type MailList = Admin['schemas']['MailListReply'];
type Operator = Admin['schemas']['OperatorReply'];

/** Who works, what waits, who refuses us, and by which lists domains are judged. */
export function HealthScreen() {
  const loaded = useLoad(async (signal) => {
    const [work, operators, { lists }] = await Promise.all([
      take(adminApi.GET('/admin/v1/workers', { signal })),
      take(adminApi.GET('/admin/v1/operators', { signal })),
      take(adminApi.GET('/admin/v1/lists', { signal })),
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
    <section class="card" aria-labelledby="queues">
      <h2 id="queues">What waits</h2>
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
    </section>
  );
}

function Port25({ of: { port_25: machines } }: { readonly of: Workers }) {
  return (
    <section aria-labelledby="port25">
      <h2 id="port25">Port 25</h2>
      <Table
        label="Port 25"
        rows={machines}
        keyOf={({ machine, state }) => `${machine} ${state}`}
        columns={[
          { name: 'Machine', cell: ({ machine }) => <span class="mono wrap">{machine}</span> },
          {
            name: 'Port 25',
            cell: ({ state }) => <span class={`badge ${state === 'open' ? 'valid' : 'invalid'}`}>{state}</span>,
          },
          { name: 'Since', cell: ({ since }) => <Time at={since} /> },
          { name: 'A mail host answered', cell: ({ answered_at: at }) => <Time at={at} none="none did" /> },
          { name: 'Processes', cell: ({ processes }) => count(processes), isNumber: true },
        ]}
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
    </section>
  );
}

function WorkersTable({ of: { workers } }: { readonly of: Workers }) {
  return (
    <section aria-labelledby="workers">
      <h2 id="workers">Workers</h2>
      <Table
        label="Workers"
        rows={workers}
        keyOf={({ id }) => id}
        columns={[
          { name: 'Worker', cell: ({ id }) => id },
          { name: 'Since', cell: ({ since }) => <Time at={since} /> },
          { name: 'Region', cell: ({ region }) => region ?? 'none' },
          { name: 'Batches', cell: ({ batches }) => count(batches), isNumber: true },
          { name: 'Chunks', cell: ({ chunks }) => count(chunks), isNumber: true },
          { name: 'Addresses', cell: ({ items }) => count(items), isNumber: true },
          { name: 'Lease until', cell: ({ lease_ends_at: at }) => <Time at={at} none="has none" /> },
        ]}
        empty={
          <Empty title="No worker is alive">
            <p>Lists wait until one is started.</p>
          </Empty>
        }
      />
    </section>
  );
}

function Breakers({ of: operators }: { readonly of: readonly Operator[] }) {
  const open = operators.flatMap((one) => one.circuits.map((circuit) => ({ ...circuit, name: one.title ?? one.name })));
  const paused = operators.filter((one) => one.paused !== null).length;
  return (
    <section aria-labelledby="breakers">
      <h2 id="breakers">Mail operators that refuse us</h2>
      <Table
        label="Mail operators that refuse us"
        rows={open}
        keyOf={({ name, source }) => `${name} ${source}`}
        columns={[{ name: 'Operator', cell: ({ name }) => name }, ...circuitsOf<(typeof open)[number]>()]}
        empty={<Empty title="None" />}
      />
      <p>
        {paused > 0 && `${counted(paused, 'operator')} paused. `}
        <a href={linkTo('/operators')}>All mail operators</a>
      </p>
    </section>
  );
}

function Lists({ of: lists }: { readonly of: readonly MailList[] }) {
  return (
    <section aria-labelledby="lists">
      <h2 id="lists">Lists of domains</h2>
      <Table
        label="Lists of domains"
        rows={lists}
        keyOf={({ file }) => file}
        columns={[
          { name: 'File', cell: ({ file }) => <span class="mono">{file}</span> },
          { name: 'Entries', cell: ({ entries }) => count(entries), isNumber: true },
          {
            name: 'Built',
            cell: ({ built_on: on, age_days: days }) =>
              on === null ? 'kept by hand' : `${on}${days === null ? '' : `, ${counted(days, 'day')} ago`}`,
          },
          { name: 'Changed here', cell: ({ changed_at: at }) => <Time at={at} /> },
          { name: 'Version', cell: ({ version }) => <code>{version}</code> },
        ]}
      />
    </section>
  );
}

type Circuit = Admin['schemas']['OperatorCircuitBody'];

/** What is told of a source of ours that an operator refuses. */
export function circuitsOf<Row extends Circuit>(): readonly Column<Row>[] {
  return [
    { name: 'From', cell: ({ source }) => <span class="mono">{source}</span> },
    { name: 'Address', cell: ({ address }) => <span class="mono">{address}</span> },
    { name: 'Refusals', cell: ({ refusals }) => count(refusals), isNumber: true },
    { name: 'Last one', cell: ({ last_refusal: said }) => <span class="mono">{said}</span> },
    { name: 'Left alone until', cell: ({ open_until: until }) => <Time at={until} /> },
    { name: 'Processes', cell: ({ processes }) => count(processes), isNumber: true },
  ];
}
