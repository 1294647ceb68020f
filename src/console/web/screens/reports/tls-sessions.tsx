import { useSignal } from '@preact/signals';
import { Chart } from '../../parts/charts/chart.js';
import { SelectField } from '../../parts/field.js';
import { count, counted, percent } from '../../parts/figures.js';
import { Table } from '../../parts/paged-table.js';
import type { Account } from '../../shell/api.js';
import { OutcomeBar } from './outcome-bar.js';
import { everyDay } from './reported-days.js';
import { POLICIES } from './tls-results.js';

type Reported = Account['schemas']['TlsFailuresReply'];
type PolicyType = Reported['days'][number]['policy_type'];

/** Connections by what their senders kept to, and by day: as bars, as lines, and in figures. */
export function TlsSessions({
  of: { days, reports, successful_sessions: good, failed_sessions: bad },
}: {
  readonly of: Reported;
}) {
  const chosen = useSignal<PolicyType | ''>('');
  const sums = (Object.keys(POLICIES) as PolicyType[]).flatMap((type) => {
    const own = days.filter(({ policy_type: one }) => one === type);
    if (own.length === 0) return [];
    const sumOf = (member: 'successful_sessions' | 'failed_sessions') => own.reduce((sum, one) => sum + one[member], 0);
    return [{ type, good: sumOf('successful_sessions'), bad: sumOf('failed_sessions') }];
  });
  const most = Math.max(1, ...sums.map((one) => one.good + one.bad));
  const drawn = everyDay(
    days
      .filter(({ policy_type: type }) => chosen.value === '' || type === chosen.value)
      .map((one) => ({ day: one.day, passed: one.successful_sessions, failed: one.failed_sessions })),
  );
  return (
    <>
      <p>
        {counted(reports, 'report')}: {counted(good + bad, 'connection')}, of which {percent(good / (good + bad))} were
        encrypted as the policy wants, and {count(bad)} failed.
      </p>
      <Table
        label="Connections by policy"
        rows={sums}
        keyOf={({ type }) => type}
        columns={[
          {
            name: 'Policy',
            cell: (one) => (
              <span class="host">
                {POLICIES[one.type]}
                <OutcomeBar good={one.good} bad={one.bad} most={most} />
              </span>
            ),
          },
          { name: 'Successful', cell: (one) => count(one.good), isNumber: true },
          {
            name: 'Failed',
            cell: (one) => <span class={one.bad === 0 ? undefined : 'invalid'}>{count(one.bad)}</span>,
            isNumber: true,
          },
          { name: 'Share failed', cell: (one) => percent(one.bad / (one.good + one.bad)), isNumber: true },
        ]}
      />
      {new Set(days.map(({ day }) => day)).size > 1 && (
        <>
          <h3>Connections by day</h3>
          {sums.length > 1 && (
            <div class="row">
              <SelectField
                label="Policy"
                value={chosen}
                options={[['', 'All'], ...sums.map(({ type }) => [type, POLICIES[type]] as const)]}
              />
            </div>
          )}
          <Chart
            days={drawn.map(({ day }) => day)}
            format={count}
            lines={[
              { name: 'Successful', colour: '--good', values: drawn.map(({ passed }) => passed) },
              { name: 'Failed', colour: '--bad', values: drawn.map(({ failed }) => failed) },
            ]}
          />
          <details>
            <summary>Day by day in figures</summary>
            <Table
              label="Connections by day"
              rows={drawn.toReversed()}
              keyOf={({ day }) => day}
              columns={[
                { name: 'Day (UTC)', cell: ({ day }) => <time dateTime={day}>{day}</time> },
                { name: 'Successful', cell: ({ passed }) => count(passed), isNumber: true },
                { name: 'Failed', cell: ({ failed }) => count(failed), isNumber: true },
              ]}
            />
          </details>
        </>
      )}
    </>
  );
}
