import { useSignal } from '@preact/signals';
import { counted } from '../../parts/figures.js';
import { Empty, PagedTable } from '../../parts/paged-table.js';
import { Time } from '../../parts/time.js';
import { type Account, api, take } from '../../shell/api.js';
import type { ReportedProps } from './sources-section.js';

type Unreadable = Account['schemas']['UnreadableReportReply'];

/** Emails to the address for reports, or reports in them, that were lost: when, from whom, and why. */
export function UnreadableList({ id, on }: ReportedProps) {
  const total = useSignal(0);
  return (
    <section aria-labelledby="unreadable">
      <h2 id="unreadable">Unreadable reports</h2>
      {total.value > 0 && (
        <p>
          Mailsonde could not read or keep {counted(total.value, 'report')}, so the figures on this page do not include
          them. Anybody can send email to the address: a reporter is verified only if the email passed SPF or DKIM.
        </p>
      )}
      <PagedTable<Unreadable>
        label="Unreadable reports"
        on={[id, on]}
        load={async (cursor, signal) => {
          const params = { path: { id }, query: cursor === undefined ? {} : { cursor } };
          const page = await take(api.GET('/api/v1/monitors/{id}/reports/unreadable', { params, signal }));
          total.value = page.count;
          return { rows: page.unreadable, nextCursor: page.next_cursor };
        }}
        keyOf={(report) => report.id}
        empty={
          <Empty title="No unreadable reports">
            <p>Reports that Mailsonde cannot read or keep appear here with the reason.</p>
          </Empty>
        }
        columns={[
          { name: 'Received', cell: ({ received_at: at }) => <Time at={at} /> },
          { name: 'Reporter', cell: (report) => <Reporter of={report} /> },
          { name: 'Reason', cell: ({ explanation }) => explanation },
        ]}
      />
    </section>
  );
}

function Reporter({ of: { reporter, sender_domain: sender } }: { readonly of: Unreadable }) {
  if (reporter !== null) return <span class="mono host">{reporter}</span>;
  return (
    <span class="host">
      {sender !== null && <span class="mono">{sender}</span>} <span class="hint">not verified</span>
    </span>
  );
}
