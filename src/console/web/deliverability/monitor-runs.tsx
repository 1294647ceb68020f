import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { count, StateBadge, Time } from '../parts/values.js';
import { FailureNote } from '../parts/failure.js';
import { SelectField } from '../parts/form.js';
import { Listing, useLoad, Waiting } from '../parts/listing.js';
import { type Account, api } from '../session/api.js';
import { diffLines } from './diff-lines.js';
import { FindingLines } from './findings.js';

type Run = Account['schemas']['MonitorRunReply'];

/** A new one at each pick, also of the same look. */
export interface PickedRun {
  readonly runId: number;
}

interface MonitorRunsProps {
  readonly id: number;
  readonly on: string;
  /** The look whose differences to the one before it the reader asked for; null: those that say most. */
  readonly picked: Signal<PickedRun | null>;
}

/** What every look has found, and what is different between any two of them. */
export function MonitorRuns({ id, on, picked }: MonitorRunsProps) {
  return (
    <section aria-labelledby="runs">
      <h2 id="runs" tabindex={-1}>
        Looks
      </h2>
      <Comparison id={id} on={on} picked={picked} />
      <Listing
        label="Looks"
        on={[id, on]}
        load={(page) => api.get('/api/v1/monitors/{id}/runs', { path: { id }, ...page({ limit: 20 }) })}
        rows="runs"
        empty="It was not looked at yet"
        emptyHint="The first look comes by itself; “Look now” above does not wait for it."
        columns={{
          Look: (run) => run.number,
          When: (run) => <Time at={run.finished_at} />,
          State: (run) => <StateBadge state={run.state} />,
          Opened: (run) => run.opened,
          Resolved: (run) => run.resolved,
          Changed: (run) => (run.changed ? 'yes' : <span class="hint">no</span>),
          'Why then': (run) => (run.cause === 'request' ? 'you asked' : 'its turn'),
        }}
      />
    </section>
  );
}

/** The newest look and the one before it, until the reader picks others. */
function Comparison({ id, on, picked }: MonitorRunsProps) {
  const from = useSignal('');
  const to = useSignal('');
  // What the reader compared before gives way to what they ask for now.
  useEffect(() => {
    from.value = to.value = '';
  }, [picked.value]);
  const { data, failure } = useLoad(
    async (signal) => {
      const params = { path: { id }, query: { limit: 100 } };
      return (await api.get('/api/v1/monitors/{id}/runs', { ...params, signal })).runs;
    },
    [id, on],
  );
  const runs = data.value ?? [];
  if (failure.value !== null) return <FailureNote failure={failure.value} />;
  if (runs.length < 2) return null;
  // The last look that found something else than the one before it says most. One that confirms a finding, or its end, has seen the same.
  const looks = runs.slice(0, -1);
  const different = looks.findIndex((run) => run.changed && run.opened + run.resolved === 0);
  const asked = looks.findIndex((run) => run.id === picked.value?.runId);
  const telling = different === -1 ? looks.findIndex((run) => run.changed) : different;
  const changed = asked === -1 ? Math.max(0, telling) : asked;
  const first = from.value === '' ? runs[changed + 1]!.id : Number(from.value);
  const second = to.value === '' ? runs[changed]!.id : Number(to.value);
  const options = runs.map((run) => [String(run.id), nameOf(run)] as const);
  return (
    <div class="card">
      <div class="row">
        <SelectField
          label="What changed from"
          value={{ value: String(first) }}
          options={options}
          onPick={(picked) => (from.value = picked)}
        />
        <SelectField
          label="To"
          value={{ value: String(second) }}
          options={options}
          onPick={(picked) => (to.value = picked)}
        />
      </div>
      {picked.value !== null && asked === -1 && (
        <p class="hint">That look is none of the last {runs.length}, so those that say most are compared.</p>
      )}
      <RunDiff monitorId={id} from={first} to={second} />
    </div>
  );
}

const SHORT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const nameOf = ({ number, finished_at: at, state }: Run): string =>
  `look ${count(number)}, ${SHORT.format(new Date(at))}, ${state}`;

interface RunDiffProps {
  readonly monitorId: number;
  readonly from: number;
  readonly to: number;
}

/** Records, listings and findings that one look has and the other has not, as a text with plus and minus. */
export function RunDiff({ monitorId, from, to }: RunDiffProps) {
  const { data, failure } = useLoad(
    (signal) =>
      api.get('/api/v1/monitors/{id}/diff', {
        path: { id: monitorId },
        query: { from: String(from), to: String(to) },
        signal,
      }),
    [monitorId, from, to],
  );
  if (failure.value !== null) return <FailureNote failure={failure.value} />;
  if (data.value === null) return <Waiting />;
  const lines = diffLines(data.value);
  const { findings_opened: opened, findings_resolved: resolved } = data.value;
  if (lines.length + opened.length + resolved.length === 0) return <p class="hint">Nothing is different.</p>;
  return (
    <>
      {lines.length > 0 && (
        <ul class="diff mono" aria-label="What is different">
          {lines.map(({ sign, text }) => (
            <li key={sign + text} class={sign === '+' ? 'valid' : 'invalid'}>
              <span aria-hidden="true">{sign} </span>
              <span class="visually-hidden">{sign === '+' ? 'new: ' : 'gone: '}</span>
              {text}
            </li>
          ))}
        </ul>
      )}
      {opened.length > 0 && <h3>Opened</h3>}
      <FindingLines of={opened} />
      {resolved.length > 0 && <h3>Resolved</h3>}
      <FindingLines of={resolved} />
    </>
  );
}
