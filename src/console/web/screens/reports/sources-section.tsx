import { useSignal } from '@preact/signals';
import { FailureNote } from '../../parts/failure.js';
import { TextField } from '../../parts/field.js';
import { count, percent } from '../../parts/figures.js';
import { useLoad } from '../../parts/load.js';
import { Empty, Table, Waiting } from '../../parts/paged-table.js';
import { Time } from '../../parts/time.js';
import { type Account, api, take } from '../../shell/api.js';

type Source = Account['schemas']['ReportedSourceReply'];

export interface ReportedProps {
  /** Of the monitor. */
  readonly id: number;
  /** Asked for anew when it changes. */
  readonly on: number;
}

const DAYS = 30;
const DAY_MS = 24 * 3_600_000;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Who sent, the most messages first: a bar for each, as long as its share of all, and the same in figures. */
export function SourcesSection({ id, on }: ReportedProps) {
  const from = useSignal(dayOf(Date.now() - (DAYS - 1) * DAY_MS));
  const to = useSignal(dayOf(Date.now()));
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
      <div class="row">
        <TextField label="From (UTC)" type="date" value={from} max={to.value} />
        <TextField label="To (UTC)" type="date" value={to} min={from.value} />
      </div>
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
                <SourceBar of={one} most={most} />
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

/** As long as the source is busy; the figures stand beside it, for those who see no colours or no bar. */
function SourceBar({ of: one, most }: { readonly of: Pick<Source, 'passed' | 'failed'>; readonly most: number }) {
  return (
    <span class="bar" aria-hidden="true">
      <span class="valid" style={{ width: `${(one.passed / most) * 100}%` }} />
      <span class="invalid" style={{ width: `${(one.failed / most) * 100}%` }} />
    </span>
  );
}
