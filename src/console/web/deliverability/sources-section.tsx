import { FailureNote } from '../parts/failure.js';
import { count, percent } from '../parts/figures.js';
import { useLoad } from '../parts/load.js';
import { Empty, Table, Waiting } from '../parts/paged-table.js';
import { Time } from '../parts/time.js';
import { type Account, api, take } from '../session/api.js';
import { OutcomeBar, PeriodFields, type ReportedProps, usePeriod } from './reported.js';

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
export function SourcesSection({ id, on }: ReportedProps) {
  const period = usePeriod();
  const { from, to } = period;
  const { data, failure } = useLoad(
    (signal) => {
      const params = { path: { id }, query: { from: from.value, to: to.value } };
      return take(api.GET('/api/v1/monitors/{id}/sources', { params, signal }));
    },
    [id, on, from.value, to.value],
  );
  const sources = data.value?.sources ?? null;
  return (
    <section aria-labelledby="sources">
      <h2 id="sources">Who sends</h2>
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
    </section>
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
        columns={[
          {
            name: 'Source',
            cell: ({ authenticated_as: names, ...one }) => (
              <span class="host sender">
                <span class="mono">{one.source}</span>
                <br />
                <span class="hint">{names.join(', ') || 'nobody vouches for it'}</span>
                <OutcomeBar good={one.passed} bad={one.failed} most={most} />
              </span>
            ),
          },
          { name: 'Messages', cell: ({ messages }) => count(messages), isNumber: true },
          { name: 'Passed', cell: (one) => count(one.passed), isNumber: true },
          {
            name: 'Failed',
            cell: ({ failed }) => <span class={failed === 0 ? undefined : 'invalid'}>{count(failed)}</span>,
            isNumber: true,
          },
          { name: 'SPF aligned', cell: (one) => count(one.spf_aligned), isNumber: true },
          { name: 'DKIM aligned', cell: (one) => count(one.dkim_aligned), isNumber: true },
          { name: 'Quarantined', cell: (one) => count(one.quarantined), isNumber: true },
          { name: 'Rejected', cell: (one) => count(one.rejected), isNumber: true },
          { name: 'First reported', cell: ({ first_seen_at: at }) => <Time at={at} none="–" /> },
        ]}
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
        columns={[
          { name: 'Last report', cell: ({ last_at: at }) => <Time at={at} /> },
          { name: 'Source', cell: ({ source }) => <span class="mono host">{source}</span> },
          { name: 'About', cell: ({ domain }) => <span class="mono host">{domain}</span> },
          { name: 'Reason', cell: (failure) => reasonOf(failure) },
          { name: 'Messages', cell: ({ messages }) => count(messages), isNumber: true },
          { name: 'Reporter', cell: ({ reporter }) => reporter ?? <span class="hint">not named</span> },
        ]}
        empty={
          <Empty title="No failure reports in these days">
            <p>Some receivers also report single messages that failed. What failed appears here.</p>
          </Empty>
        }
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
