import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { ActionForm } from '../../parts/action.js';
import { StateBadge } from '../../parts/deliverability/state-badge.js';
import { SelectField, TextField } from '../../parts/field.js';
import { count } from '../../parts/figures.js';
import { Empty, PagedTable } from '../../parts/paged-table.js';
import { Time } from '../../parts/time.js';
import { api, take } from '../../shell/api.js';
import { linkTo } from '../../shell/routes.js';
import { session } from '../../shell/session.js';
import { AnalyzeSection } from './analyze-section.js';

/** Names of tests that play a part of the simulated world. */
const EXAMPLES = ['all-inbox', 'gmail-spam', 'promotions', 'missing', 'unauthenticated', 'expired'] as const;

/** Where a mail arrives, and what is wrong with it. */
export function PlacementScreen() {
  return (
    <>
      <h1>Placement tests</h1>
      <p>
        Send one of your mails to the addresses of a test: you see where it arrived, and a report on the mail itself.
        Where nothing comes, nothing is charged.
      </p>
      <NewTest />
      <Tests />
      <AnalyzeSection />
    </>
  );
}

function NewTest() {
  const { route } = useLocation();
  const name = useSignal('');
  const seeds = useSignal<'all' | 'none'>('all');
  const settle = useSignal('30');
  const create = async () => {
    const given = name.value.trim();
    const body = {
      seeds: seeds.value,
      settle_minutes: Number(settle.value),
      ...(given !== '' && { name: given }),
    };
    const { id } = await take(api.POST('/api/v1/placement/tests', { body }));
    route(linkTo(`/placement/${id}`));
  };
  return (
    <section class="card" aria-labelledby="new">
      <h2 id="new">New test</h2>
      <ActionForm action="Make the test" onAct={create}>
        <TextField label="Name" value={name} maxLength={200} placeholder="March campaign" />
        {session.value?.simulated === true && (
          <p class="chips">
            {EXAMPLES.map((example) => (
              <button key={example} type="button" onClick={() => (name.value = example)}>
                {example}
              </button>
            ))}
          </p>
        )}
        <div class="row">
          <SelectField
            label="Where to look"
            value={seeds}
            hint="A report costs one credit, with mailboxes five; what could not be measured is given back."
            options={[
              ['all', 'In every mailbox that works here, and our own copy'],
              ['none', 'Only at our own copy of the mail'],
            ]}
          />
          <SelectField
            label="How long after the first arrival"
            value={settle}
            options={['10', '30', '60', '180'].map((minutes) => [minutes, `${minutes} minutes`] as const)}
          />
        </div>
      </ActionForm>
    </section>
  );
}

function Tests() {
  return (
    <section aria-labelledby="tests">
      <h2 id="tests">Tests</h2>
      <PagedTable
        label="Tests"
        load={async (cursor, signal) => {
          const page = await take(api.GET('/api/v1/placement/tests', { params: { query: { cursor } }, signal }));
          return { rows: page.tests, nextCursor: page.next_cursor };
        }}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No test yet">
            <p>Make one above before your next campaign: it shows where the mail arrives while there is time.</p>
          </Empty>
        }
        columns={[
          { name: 'Name', cell: ({ id, name }) => <a href={linkTo(`/placement/${id}`)}>{name ?? `Test ${id}`}</a> },
          { name: 'State', cell: ({ status }) => <StateBadge state={status} /> },
          { name: 'Critical', cell: ({ findings }) => count(findings.critical), isNumber: true },
          { name: 'Warnings', cell: ({ findings }) => count(findings.warning), isNumber: true },
          { name: 'Charged', cell: (one) => count(one.credits_charged), isNumber: true },
          { name: 'Made', cell: (one) => <Time at={one.created_at} /> },
        ]}
      />
    </section>
  );
}
