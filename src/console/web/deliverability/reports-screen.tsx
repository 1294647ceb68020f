import { useSignal } from '@preact/signals';
import { Monitored, OutcomeBar, PeriodFields, type ReportedProps, UnreadableList, usePeriod } from './reported.js';
import { ReportAddress } from './report-address.js';
import { Chart } from '../parts/chart.js';
import { FailureNote } from '../parts/failure.js';
import { count, percent, Time } from '../parts/values.js';
import { Empty, figure, Listing, Section, Table, useLoad, Waiting } from '../parts/listing.js';
import { type Account, api } from '../session/api.js';
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
            encrypted is told by <a href={`/console/monitors/${id}/tls-reports`}>TLS reports</a>.
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
    <Section id="reports" title="Reports">
      <DaysChart id={id} on={on} />
      <Listing
        label="Reports"
        on={[id, on]}
        load={(page) => api.get('/api/v1/monitors/{id}/reports', { path: { id }, ...page() })}
        rows="reports"
        empty={
          <Empty title="No report has come yet">
            <p>
              <a href="#proof">Get an address for reports</a>, and name it in the DMARC record of the domain.
            </p>
          </Empty>
        }
        columns={{
          'Day (UTC)': ({ begins_at: at }) => <time dateTime={at}>{at.slice(0, 10)}</time>,
          From: ({ organization }) => <span class="host">{organization}</span>,
          About: ({ domain }) => <span class="mono host">{domain}</span>,
          Messages: (report) => report.messages,
          Passed: (report) => report.passed,
          Policy: ({ policy }) => policy.p ?? '–',
          'Left out': ({ records_left_out: left }) => left,
        }}
      />
    </Section>
  );
}

function DaysChart({ id, on }: ReportedProps) {
  const { data, failure } = useLoad(
    async (signal) => {
      const params = { path: { id }, query: { limit: DRAWN } };
      return (await api.get('/api/v1/monitors/{id}/reports', { ...params, signal })).reports;
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

type Source = Account['schemas']['ReportedSourceReply'];
type Failure = Source['failure_reports'][number];

/** The words of RFC 6591 section 3.3. */
const FAILURES: Readonly<Record<string, string>> = {
  bodyhash: 'The message was changed after it was signed.',
  dkim: 'The DKIM signature did not pass.',
  dmarc: 'Neither SPF nor DKIM passed for the domain in From.',
  revoked: 'The DKIM key of the signature was revoked.',
  signature: 'The DKIM signature did not pass.',
  spf: 'SPF does not allow the source to send for the domain.',
};
/** The words of RFC 6591 section 3.2.2. */
const DELIVERIES: Readonly<Record<string, string>> = {
  delivered: 'The receiver delivered the message.',
  policy: 'The receiver did not deliver the message to the inbox.',
  reject: 'The receiver rejected the message.',
  spam: 'The receiver delivered the message as spam.',
};

/** Who sent, the most messages first: a bar for each, as long as its share of all, and the same in figures. */
function SourcesSection({ id, on }: ReportedProps) {
  const period = usePeriod();
  const { from, to } = period;
  const { data, failure } = useLoad(
    (signal) => {
      const params = { path: { id }, query: { from: from.value, to: to.value } };
      return api.get('/api/v1/monitors/{id}/sources', { ...params, signal });
    },
    [id, on, from.value, to.value],
  );
  const sources = data.value?.sources ?? null;
  return (
    <Section id="sources" title="Who sends">
      <PeriodFields of={period} leftOut={data.value?.reports_left_out} />
      <FailureNote failure={failure.value} />
      {sources === null ? (
        failure.value === null && <Waiting />
      ) : sources.length === 0 ? (
        <Empty title="Nobody was reported in these days">
          <p>
            Reports come once a day, the first of them a day after <a href="#proof">the address for them</a> is
            published.
          </p>
        </Empty>
      ) : (
        <Sources of={sources} />
      )}
      {sources !== null && <FailureReports of={sources} />}
    </Section>
  );
}

function Sources({ of: sources }: { readonly of: readonly Source[] }) {
  const all = sources.reduce((sum, one) => sum + one.messages, 0);
  const passed = sources.reduce((sum, one) => sum + one.passed, 0);
  const most = Math.max(1, ...sources.map((one) => one.messages));
  return (
    <>
      <p>
        {count(all)} messages of {count(sources.length)} senders, of which {percent(passed / all)} passed.
      </p>
      <Table
        label="Who sends"
        rows={sources}
        keyOf={({ source }) => source}
        columns={{
          Source: ({ authenticated_as: names, ...one }) => (
            <span class="host sender">
              <span class="mono">{one.source}</span>
              <br />
              <span class="hint">{names.join(', ') || 'nobody vouches for it'}</span>
              <OutcomeBar good={one.passed} bad={one.failed} most={most} />
            </span>
          ),
          Messages: ({ messages }) => messages,
          Passed: (one) => one.passed,
          Failed: ({ failed }) => figure(<span class={failed === 0 ? undefined : 'invalid'}>{count(failed)}</span>),
          'SPF aligned': (one) => one.spf_aligned,
          'DKIM aligned': (one) => one.dkim_aligned,
          Quarantined: (one) => one.quarantined,
          Rejected: (one) => one.rejected,
          'First reported': ({ first_seen_at: at }) => <Time at={at} none="–" />,
        }}
      />
    </>
  );
}

/** What receivers told about single messages, the last first. */
function FailureReports({ of: sources }: { readonly of: readonly Source[] }) {
  const failures = sources
    .flatMap(({ source, failure_reports: reports }) => reports.map((report) => ({ ...report, source })))
    .toSorted((one, other) => other.last_at.localeCompare(one.last_at));
  return (
    <>
      <h3>Failure reports</h3>
      <Table
        label="Failure reports"
        rows={failures}
        keyOf={({ source, domain, failure }) => `${source} ${domain} ${failure}`}
        columns={{
          'Last report': ({ last_at: at }) => <Time at={at} />,
          Source: ({ source }) => <span class="mono host">{source}</span>,
          About: ({ domain }) => <span class="mono host">{domain}</span>,
          Reason: (failure) => reasonOf(failure),
          Messages: ({ messages }) => messages,
          Reporter: ({ reporter }) => reporter ?? <span class="hint">not named</span>,
        }}
        empty="No failure reports in these days"
        emptyHint="Some receivers also report single messages that failed. What failed appears here."
      />
    </>
  );
}

function reasonOf({ failure, delivery, dkim_domain: signer, dkim_selector: selector }: Failure): string {
  const signature =
    signer === null ? '' : ` It was signed by ${signer}${selector === null ? '' : `, selector ${selector}`}.`;
  const told = FAILURES[failure] ?? `The receiver reported "${failure}".`;
  return `${told}${signature} ${DELIVERIES[delivery ?? ''] ?? ''}`.trim();
}
