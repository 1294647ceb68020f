import { useSignal } from '@preact/signals';
import { linkTo } from '../parts/link.js';
import { Monitored, UnreadableList, type ReportedProps } from './reported.js';
import { ReportAddress } from './report-address.js';
import { SourcesSection } from './sources-section.js';
import { Chart } from '../parts/chart.js';
import { FailureNote } from '../parts/failure.js';
import { count } from '../parts/figures.js';
import { useLoad } from '../parts/load.js';
import { Empty, PagedTable } from '../parts/paged-table.js';
import { api, take } from '../session/api.js';
import { reportedDays } from './days.js';

/** What receivers report of the mail in a domain's name: who sends it, and how it fares. */
export function ReportsScreen() {
  const looks = useSignal(0);
  return (
    <Monitored title="DMARC reports">
      {(id, domain) => (
        <>
          <p>
            Receivers report once a day who sent mail in the name of a domain, and whether it passed. Somebody whom you
            do not know is either a service that you have forgotten, or a stranger. Whether mail to the domain is
            encrypted is told by <a href={linkTo(`/monitors/${id}/tls-reports`)}>TLS reports</a>.
          </p>
          <SourcesSection id={id} on={looks.value} />
          <ReportList id={id} on={looks.value} />
          <UnreadableList id={id} on={looks.value} />
          <ReportAddress id={id} domain={domain} of="dmarc" looks={looks} />
        </>
      )}
    </Monitored>
  );
}

/** Reports that the chart is drawn of, the newest. */
const DRAWN = 100;

/** Every report that came, newest first, and their messages by day. */
export function ReportList({ id, on }: ReportedProps) {
  return (
    <section aria-labelledby="reports">
      <h2 id="reports">Reports</h2>
      <DaysChart id={id} on={on} />
      <PagedTable
        label="Reports"
        on={[id, on]}
        load={(cursor, signal) =>
          take(api.GET('/api/v1/monitors/{id}/reports', { params: { path: { id }, query: { cursor } }, signal }))
        }
        rows={(page) => page.reports}
        keyOf={(report) => report.id}
        empty={
          <Empty title="No report has come yet">
            <p>
              <a href="#proof">Get an address for reports</a>, and name it in the DMARC record of the domain.
            </p>
          </Empty>
        }
        columns={[
          { name: 'Day (UTC)', cell: ({ begins_at: at }) => <time dateTime={at}>{at.slice(0, 10)}</time> },
          { name: 'From', cell: ({ organization }) => <span class="host">{organization}</span> },
          { name: 'About', cell: ({ domain }) => <span class="mono host">{domain}</span> },
          { name: 'Messages', cell: (report) => count(report.messages), isNumber: true },
          { name: 'Passed', cell: (report) => count(report.passed), isNumber: true },
          { name: 'Policy', cell: ({ policy }) => policy.p ?? '–' },
          {
            name: 'Left out',
            cell: ({ records_left_out: left }) => count(left),
            isNumber: true,
          },
        ]}
      />
    </section>
  );
}

function DaysChart({ id, on }: ReportedProps) {
  const { data, failure } = useLoad(
    async (signal) => {
      const params = { path: { id }, query: { limit: DRAWN } };
      return (await take(api.GET('/api/v1/monitors/{id}/reports', { params, signal }))).reports;
    },
    [id, on],
  );
  if (failure.value !== null) return <FailureNote failure={failure.value} />;
  const days = reportedDays(data.value ?? []);
  if (days.length < 2) return null;
  return (
    <>
      <h3>Messages by day</h3>
      <Chart
        days={days.map(({ day }) => day)}
        format={count}
        lines={[
          { name: 'Passed', colour: '--good', values: days.map(({ passed }) => passed) },
          { name: 'Failed', colour: '--bad', values: days.map(({ failed }) => failed) },
        ]}
      />
    </>
  );
}
