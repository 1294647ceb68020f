import { count } from '../../parts/figures.js';
import { Empty, PagedTable } from '../../parts/paged-table.js';
import { type Account, api, take } from '../../shell/api.js';
import type { ReportedProps } from './sources-section.js';
import { POLICIES } from './tls-results.js';

type Report = Account['schemas']['TlsReportReply'];

interface TlsReportListProps extends ReportedProps {
  readonly domain: string;
}

/** Every report that came, newest first. */
export function TlsReportList({ id, on, domain }: TlsReportListProps) {
  return (
    <section aria-labelledby="reports">
      <h2 id="reports">Reports</h2>
      <PagedTable<Report>
        label="Reports"
        on={[id, on]}
        load={async (cursor, signal) => {
          const params = { path: { id }, query: cursor === undefined ? {} : { cursor } };
          const page = await take(api.GET('/api/v1/monitors/{id}/tls-reports', { params, signal }));
          return { rows: page.reports, nextCursor: page.next_cursor };
        }}
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
