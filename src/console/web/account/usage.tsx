import { useSignal } from '@preact/signals';
import { FailureNote } from '../parts/failure.js';
import { SelectField, TextField } from '../parts/form.js';
import { count, DAY_MS } from '../parts/values.js';
import { Empty, figure, Section, Table, useLoad, Waiting } from '../parts/listing.js';
import { type Account, api } from '../session/api.js';
import { Chart } from '../parts/chart.js';

type Usage = Account['schemas']['UsageReply'];
type By = 'day' | 'key' | 'verdict' | 'reason' | 'endpoint';

const DAYS = 30;
const BY: readonly (readonly [By, string])[] = [
  ['day', 'Day'],
  ['verdict', 'Verdict'],
  ['reason', 'Reason'],
  ['key', 'Key'],
  ['endpoint', 'Route'],
];

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** What was done and charged within some days, by what the reader asks. */
export function UsageSection() {
  const from = useSignal(dayOf(Date.now() - (DAYS - 1) * DAY_MS));
  const to = useSignal(dayOf(Date.now()));
  const by = useSignal<By>('day');
  const query = { from: from.value, to: to.value, by: by.value };
  const { data, failure } = useLoad(
    (signal) => api.get('/api/v1/usage', { query, signal }),
    [from.value, to.value, by.value],
  );
  const usage = data.value;
  return (
    <Section id="usage" title="Usage">
      <div class="row">
        <TextField label="From (UTC)" type="date" value={from} max={to.value} />
        <TextField label="To (UTC)" type="date" value={to} min={from.value} />
        <SelectField label="By" value={by} options={BY} />
      </div>
      <FailureNote failure={failure.value} />
      {usage === null && failure.value === null && <Waiting />}
      {usage !== null && failure.value === null && <UsageFigures usage={usage} />}
      <p>
        <a href={`/api/v1/usage?${new URLSearchParams({ ...query, format: 'csv' }).toString()}`} download="usage.csv">
          Download as CSV
        </a>
      </p>
    </Section>
  );
}

/** A chart where days are told, and a table of everything. */
export function UsageFigures({ usage }: { readonly usage: Usage }) {
  const { usage: rows, total, by } = usage;
  if (rows.length === 0) return <Empty title="Nothing was verified or refused in these days" />;
  return (
    <>
      {by === 'day' && rows.length > 1 && <UsageChart usage={usage} />}
      <Table
        label={`Usage by ${by}`}
        rows={[...rows, { ...total, value: 'Total' }]}
        keyOf={(row) => row.value}
        columns={{
          [BY.find(([value]) => value === by)?.[1] ?? by]: (row) => nameOf(row.value),
          Addresses: (row) => row.items,
          Credits: (row) => row.credits,
          Free: (row) => row.free_credits,
          'Refused by credits or a ceiling (402)': (row) => figure(orDash(row.refused_402)),
          'Refused, too fast (429)': (row) => figure(orDash(row.refused_429)),
        }}
      />
    </>
  );
}

const nameOf = (value: string) => (value === 'Total' ? <strong>{value}</strong> : value);
const orDash = (value: number | null): string => (value === null ? '–' : count(value));

/** All of them: on a day that is not told nothing was used. */
function daysBetween(first: string, last: string): string[] {
  const days: string[] = [];
  for (let ms = Date.parse(first); ms <= Date.parse(last); ms += DAY_MS) days.push(dayOf(ms));
  return days;
}

function UsageChart({ usage }: { readonly usage: Usage }) {
  const used = new Map(usage.usage.map((row) => [row.value, row]));
  const told = [...used.keys()].toSorted();
  const days = daysBetween(told[0]!, told.at(-1)!);
  return (
    <Chart
      days={days}
      format={count}
      lines={[
        { name: 'Addresses', colour: '--brand', values: days.map((day) => used.get(day)?.items ?? 0) },
        { name: 'Credits', colour: '--care', values: days.map((day) => used.get(day)?.credits ?? 0) },
      ]}
    />
  );
}
