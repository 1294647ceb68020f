import { useSignal } from '@preact/signals';
import { FailureNote } from '../parts/failure.js';
import { Empty, figure, Listing, Section, Table, useLoad, Waiting } from '../parts/listing.js';
import { type Account, api } from '../session/api.js';
import { Monitored, OutcomeBar, PeriodFields, UnreadableList, usePeriod, type ReportedProps } from './reported.js';
import { ReportAddress } from './report-address.js';
import { POLICIES, TlsFailures } from './tls-failures.js';
import { Chart } from '../parts/chart.js';
import { SelectField } from '../parts/form.js';
import { count, counted, percent } from '../parts/values.js';
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
            <a href={`/console/monitors/${id}/reports`}>DMARC reports</a>.
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
      return api.get('/api/v1/monitors/{id}/tls-failures', { ...params, signal });
    },
    [id, on, from.value, to.value],
  );
  const reported = data.value;
  return (
    <>
      <Section id="sessions" title="Connections">
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
      </Section>
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
        columns={{
          Policy: (one) => (
            <span class="host">
              {POLICIES[one.type]}
              <OutcomeBar good={one.good} bad={one.bad} most={most} />
            </span>
          ),
          Successful: (one) => one.good,
          Failed: (one) => figure(<span class={one.bad === 0 ? undefined : 'invalid'}>{count(one.bad)}</span>),
          'Share failed': (one) => figure(percent(one.bad / (one.good + one.bad))),
        }}
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
              columns={{
                'Day (UTC)': ({ day }) => <time dateTime={day}>{day}</time>,
                Successful: ({ passed }) => passed,
                Failed: ({ failed }) => failed,
              }}
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
    <Section id="reports" title="Reports">
      <Listing
        label="Reports"
        on={[id, on]}
        load={(page) => api.get('/api/v1/monitors/{id}/tls-reports', { path: { id }, ...page() })}
        rows="reports"
        empty={
          <Empty title="No report has come yet">
            <p>
              <a href="#proof">Get an address for reports</a>, and publish it in the record for TLS reports.
            </p>
          </Empty>
        }
        columns={{
          From: ({ organization }) => <span class="host">{organization}</span>,
          'Period (UTC)': ({ begins_at: begin, ends_at: end }) => (
            <span class="nowrap">{[...new Set([begin.slice(0, 10), end.slice(0, 10)])].join(' to ')}</span>
          ),
          Policies: ({ policies }) => <Policies of={policies} domain={domain} />,
          Successful: (report) => report.successful_sessions,
          Failed: ({ failed_sessions: failed }) =>
            figure(<span class={failed === 0 ? undefined : 'invalid'}>{count(failed)}</span>),
          'Left out': ({ failures_left_out: left }) => left,
        }}
      />
    </Section>
  );
}

/** What its sender kept to; a domain is named where it is one below that of the monitor. */
function Policies({ of: policies, domain }: { readonly of: Report['policies']; readonly domain: string }) {
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
