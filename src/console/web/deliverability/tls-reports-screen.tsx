import { useSignal } from '@preact/signals';
import { FailureNote } from '../parts/failure.js';
import { useLoad } from '../parts/load.js';
import { Empty, PagedTable, Table, Waiting } from '../parts/paged-table.js';
import { type Account, api, take } from '../session/api.js';
import { linkTo } from '../parts/link.js';
import { Monitored, OutcomeBar, PeriodFields, UnreadableList, usePeriod, type ReportedProps } from './reported.js';
import { ReportAddress } from './report-address.js';
import { POLICIES, TlsFailures } from './tls-failures.js';
import { Chart } from '../parts/chart.js';
import { SelectField } from '../parts/field.js';
import { count, counted, percent } from '../parts/figures.js';
import { everyDay } from './days.js';

/** What senders report of the encryption of mail to a domain: how much of it failed, why, and at which mail host (RFC 8460). */
export function TlsReportsScreen() {
  const looks = useSignal(0);
  return (
    <Monitored title="TLS reports">
      {(id, domain) => (
        <>
          <p>
            Senders report once a day how many of their connections to the mail hosts of a domain were encrypted as its
            policy wants (MTA-STS or DANE), and why others failed. Who sends in the name of the domain is told by{' '}
            <a href={linkTo(`/monitors/${id}/reports`)}>DMARC reports</a>.
          </p>
          <Reported id={id} on={looks.value} domain={domain} />
          <TlsReportList id={id} on={looks.value} domain={domain} />
          <UnreadableList id={id} on={looks.value} />
          <ReportAddress id={id} domain={domain} of="tls" looks={looks} />
        </>
      )}
    </Monitored>
  );
}

/** Of the days that the reader has chosen: how many connections failed, and why. */
function Reported({ id, on, domain }: ReportedProps & { readonly domain: string }) {
  const period = usePeriod();
  const { from, to } = period;
  const { data, failure } = useLoad(
    (signal) => {
      const params = { path: { id }, query: { from: from.value, to: to.value } };
      return take(api.GET('/api/v1/monitors/{id}/tls-failures', { params, signal }));
    },
    [id, on, from.value, to.value],
  );
  const reported = data.value;
  return (
    <>
      <section aria-labelledby="sessions">
        <h2 id="sessions">Connections</h2>
        <PeriodFields of={period} leftOut={data.value?.reports_left_out} />
        <FailureNote failure={failure.value} />
        {reported === null ? (
          failure.value === null && <Waiting />
        ) : reported.reports === 0 ? (
          <Empty title="Nothing was reported in these days">
            <p>
              Reports come once a day, the first of them a day after the record at{' '}
              <code class="wrap">_smtp._tls.{domain}.</code> is published: <a href="#proof">get the record</a>.
            </p>
          </Empty>
        ) : (
          <TlsSessions of={reported} />
        )}
      </section>
      {reported !== null && reported.reports > 0 && <TlsFailures of={reported} domain={domain} />}
    </>
  );
}

type Failures = Account['schemas']['TlsFailuresReply'];
type PolicyType = Failures['days'][number]['policy_type'];

/** Connections by what their senders kept to, and by day: as bars, as lines, and in figures. */
export function TlsSessions({
  of: { days, reports, successful_sessions: good, failed_sessions: bad },
}: {
  readonly of: Failures;
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

type Report = Account['schemas']['TlsReportReply'];

interface TlsReportListProps extends ReportedProps {
  readonly domain: string;
}

/** Every report that came, newest first. */
export function TlsReportList({ id, on, domain }: TlsReportListProps) {
  return (
    <section aria-labelledby="reports">
      <h2 id="reports">Reports</h2>
      <PagedTable
        label="Reports"
        on={[id, on]}
        load={(cursor, signal) =>
          take(api.GET('/api/v1/monitors/{id}/tls-reports', { params: { path: { id }, query: { cursor } }, signal }))
        }
        rows={(page) => page.reports}
        keyOf={(report) => report.id}
        empty={
          <Empty title="No report has come yet">
            <p>
              <a href="#proof">Get an address for reports</a>, and publish it in the record for TLS reports.
            </p>
          </Empty>
        }
        columns={[
          { name: 'From', cell: ({ organization }) => <span class="host">{organization}</span> },
          {
            name: 'Period (UTC)',
            cell: ({ begins_at: begin, ends_at: end }) => (
              <span class="nowrap">{[...new Set([begin.slice(0, 10), end.slice(0, 10)])].join(' to ')}</span>
            ),
          },
          {
            name: 'Policies',
            cell: ({ policies }) => <Policies of={policies} domain={domain} />,
          },
          { name: 'Successful', cell: (report) => count(report.successful_sessions), isNumber: true },
          {
            name: 'Failed',
            cell: ({ failed_sessions: failed }) => (
              <span class={failed === 0 ? undefined : 'invalid'}>{count(failed)}</span>
            ),
            isNumber: true,
          },
          { name: 'Left out', cell: ({ failures_left_out: left }) => count(left), isNumber: true },
        ]}
      />
    </section>
  );
}

interface PoliciesProps {
  readonly of: Report['policies'];
  readonly domain: string;
}

/** What its sender kept to; a domain is named where it is one below that of the monitor. */
function Policies({ of: policies, domain }: PoliciesProps) {
  return (
    <span class="host">
      {[...new Set(policies.map((one) => one.domain))].map((about) => (
        <span key={about} class="below-name">
          {policies
            .filter((one) => one.domain === about)
            .map(({ policy_type: type }) => POLICIES[type])
            .join(', ')}{' '}
          {about !== domain && <span class="hint mono">{about}</span>}
        </span>
      ))}
    </span>
  );
}
