import type { ComponentChildren } from 'preact';
import { useRoute } from 'preact-iso';
import { type Signal, useSignal } from '@preact/signals';
import { Listing, Section, Unloaded, useLoad } from '../parts/listing.js';
import { type Account, api } from '../session/api.js';
import { TextField } from '../parts/form.js';
import { counted, DAY_MS, Time } from '../parts/values.js';

export interface ReportedProps {
  /** Of the monitor. */
  readonly id: number;
  /** Asked for anew when it changes. */
  readonly on: number;
}

interface MonitoredProps {
  readonly title: string;
  readonly children: (id: number, domain: string) => ComponentChildren;
}

/** A screen of the reports about the domain of a monitor, under its heading. */
export function Monitored({ title, children }: MonitoredProps) {
  const id = Number(useRoute().params['id']);
  const loaded = useLoad((signal) => api.get('/api/v1/monitors/{id}', { path: { id }, signal }), [id]);
  const { data, failure } = loaded;
  if (data.value === null || failure.value !== null)
    return <Unloaded of={loaded} title={title} to="/console/monitors" toTitle="All monitors" />;
  return (
    <>
      <p>
        <a href={`/console/monitors/${id}`}>The monitor</a>
      </p>
      <h1 class="long">
        {title} about {data.value.target}
      </h1>
      {children(id, data.value.target)}
    </>
  );
}

const DAYS = 30;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Days (UTC), both included. */
export interface Period {
  readonly from: Signal<string>;
  readonly to: Signal<string>;
}

export function usePeriod(): Period {
  return { from: useSignal(dayOf(Date.now() - (DAYS - 1) * DAY_MS)), to: useSignal(dayOf(Date.now())) };
}

interface PeriodProps {
  readonly of: Period;
  /** Reports of the period that its sums do not count. */
  readonly leftOut: number | undefined;
}

export function PeriodFields({ of: { from, to }, leftOut = 0 }: PeriodProps) {
  return (
    <>
      <div class="row">
        <TextField label="From (UTC)" type="date" value={from} max={to.value} />
        <TextField label="To (UTC)" type="date" value={to} min={from.value} />
      </div>
      {leftOut > 0 && <p>{counted(leftOut, 'older report')} not counted: choose fewer days.</p>}
    </>
  );
}

interface OutcomeBarProps {
  readonly good: number;
  readonly bad: number;
  /** As much as fills the bar. */
  readonly most: number;
}

/** As long as there is much of it; the figures stand beside it, for those who see no colours or no bar. */
export function OutcomeBar({ good, bad, most }: OutcomeBarProps) {
  return (
    <span class="bar" aria-hidden="true">
      <span class="valid" style={{ width: `${(good / most) * 100}%` }} />
      <span class="invalid" style={{ width: `${(bad / most) * 100}%` }} />
    </span>
  );
}

type Unreadable = Account['schemas']['UnreadableReportReply'];

/** Emails to the address for reports, or reports in them, that were lost: when, from whom, and why. */
export function UnreadableList({ id, on }: ReportedProps) {
  const total = useSignal(0);
  return (
    <Section id="unreadable" title="Unreadable reports">
      {total.value > 0 && (
        <p>
          Mailsonde could not read or keep {counted(total.value, 'report')}, so the figures on this page do not include
          them. Anybody can send email to the address: a reporter is verified only if the email passed SPF or DKIM.
        </p>
      )}
      <Listing
        label="Unreadable reports"
        on={[id, on]}
        load={async (page) => {
          const loaded = await api.get('/api/v1/monitors/{id}/reports/unreadable', { path: { id }, ...page() });
          total.value = loaded.count;
          return loaded;
        }}
        rows="unreadable"
        empty="No unreadable reports"
        emptyHint="Reports that Mailsonde cannot read or keep appear here with the reason."
        columns={{
          Received: ({ received_at: at }) => <Time at={at} />,
          Reporter: (report) => <Reporter of={report} />,
          Reason: ({ explanation }) => explanation,
        }}
      />
    </Section>
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
