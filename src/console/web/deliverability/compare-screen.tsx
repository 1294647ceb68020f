import { useLocation, useRoute } from 'preact-iso';
import { SelectField } from '../parts/form.js';
import { Empty, Section, Table, Unloaded, useLoad } from '../parts/listing.js';
import { type Account, api } from '../session/api.js';
import { type PlacementTest, PLACES } from './placement-outcome.js';
import { PlacesBar } from './placement-result.js';
import { FindingLines, Findings } from './findings.js';
import { count } from '../parts/values.js';
import { providerName } from '../parts/provider-names.js';

type Offered = Pick<PlacementTest, 'id' | 'name' | 'created_at'>;

/** Among so many of the newest one is picked. */
const OFFERED = 100;

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const nameOf = ({ id, name, created_at: at }: Offered): string =>
  `${name ?? `Test ${id}`}, ${DAY.format(new Date(at))}`;

/** Two tests side by side: the one in the path, and an earlier one. */
export function CompareScreen() {
  const id = Number(useRoute().params['id']);
  const { query, route } = useLocation();
  const asked = query['from'] ?? null;
  const loaded = useLoad((signal) => load(id, asked, signal), [id, asked]);
  const { data, failure } = loaded;
  if (data.value === null || failure.value !== null)
    return <Unloaded of={loaded} title="Two placement tests" to="/console/placement" toTitle="All tests" />;
  const { from, to, diff, tests } = data.value;
  const show = (older: string | number, newer: string | number) =>
    route(`/console/placement/${newer}/compare?from=${older}`);
  const options = tests.map((test) => [String(test.id), nameOf(test)] as const);
  return (
    <>
      <p>
        <a href={`/console/placement/${id}`}>The test</a>
      </p>
      <h1 class="long">{to.name ?? `Test ${id}`} beside another test</h1>
      {from === null || diff === null ? (
        <Empty title="There is no other test yet">
          <p>
            <a href="/console/placement">Make one</a> with the mail as it is now, and compare the two here.
          </p>
        </Empty>
      ) : (
        <>
          <div class="row">
            <SelectField
              label="Before"
              value={{ value: String(from.id) }}
              options={options}
              onPick={(picked) => show(picked, id)}
            />
            <SelectField
              label="After"
              value={{ value: String(id) }}
              options={options}
              onPick={(picked) => show(from.id, picked)}
            />
          </div>
          <Comparison from={from} to={to} diff={diff} />
        </>
      )}
    </>
  );
}

interface Loaded {
  readonly to: PlacementTest;
  /** Null: there is none. */
  readonly from: PlacementTest | null;
  readonly diff: Account['schemas']['PlacementDiffReply'] | null;
  readonly tests: readonly Offered[];
}

async function load(id: number, asked: string | null, signal: AbortSignal): Promise<Loaded> {
  const get = (one: number) => api.get('/api/v1/placement/tests/{id}', { path: { id: one }, signal });
  const query = { limit: OFFERED };
  const [to, page] = await Promise.all([get(id), api.get('/api/v1/placement/tests', { query, signal })]);
  // Newest first: the first one that is older than this one, or any other.
  const others = page.tests.filter((test) => test.id !== id);
  const before = others.find((test) => test.created_at < to.created_at) ?? others[0];
  const fromId = asked === null ? before?.id : Number(asked);
  if (fromId === undefined) return { to, from: null, diff: null, tests: [] };
  const params = { path: { id: fromId }, query: { to: id } };
  const [from, diff] = await Promise.all([
    get(fromId),
    api.get('/api/v1/placement/tests/{id}/diff', { ...params, signal }),
  ]);
  // One that is older than all that are offered is offered too while it is shown.
  const unlisted = [to, from].filter(({ id: shown }) => !page.tests.some((test) => test.id === shown));
  return { to, from, diff, tests: [...page.tests, ...unlisted] };
}

type Diff = Account['schemas']['PlacementDiffReply'];
type Counts = NonNullable<Diff['placement'][number]['before']>;

interface ComparisonProps {
  readonly from: PlacementTest;
  readonly to: PlacementTest;
  readonly diff: Diff;
}

/** Where two mails arrived, what passed, and what is wrong with one of them only. */
export function Comparison({ from, to, diff }: ComparisonProps) {
  return (
    <>
      <Placements from={from} to={to} />
      <Authentications from={from} to={to} diff={diff} />
      <FindingsThatMoved of={diff.findings} kept={to} />
    </>
  );
}

/** The service names providers that differ; here they all stand, so that one sees what is the same too. */
function Placements({ from, to }: Omit<ComparisonProps, 'diff'>) {
  const providersOf = ({ placement }: PlacementTest) => placement?.providers ?? [];
  const [before, after] = [providersOf(from), providersOf(to)];
  const names = [...new Set([...after, ...before].map(({ provider }) => provider))].toSorted();
  return (
    <Section id="places" title="Where they arrived">
      {names.length === 0 ? (
        <Empty title="No mailbox was looked into in either of them">
          <p>A test that looks into mailboxes says where its mail was put.</p>
        </Empty>
      ) : (
        <Table
          label="Where they arrived"
          rows={names.map((provider) => {
            const of = (those: typeof before) => those.find((one) => one.provider === provider) ?? null;
            return { provider, before: of(before), after: of(after) };
          })}
          keyOf={({ provider }) => provider}
          columns={{
            Provider: ({ provider }) => providerName(provider),
            Before: (one) => <Places of={one.before} />,
            After: (one) => <Places of={one.after} />,
            Inbox: (one) => <Gained before={inboxOf(one.before)} after={inboxOf(one.after)} />,
          }}
        />
      )}
    </Section>
  );
}

/** Tabs are a kind of inbox. Null: nothing was measured. */
function inboxOf(counts: Counts | null): number | null {
  return counts === null || counts.measured === 0 ? null : (counts.inbox + counts.tab) / counts.measured;
}

function Places({ of: counts }: { readonly of: Counts | null }) {
  if (counts === null) return <span class="hint">not looked into</span>;
  if (counts.measured === 0) return <span class="hint">not measured</span>;
  const there = PLACES.filter(([place]) => counts[place] > 0);
  return (
    <>
      {there.map(([place, name]) => `${count(counts[place])} ${name.toLowerCase()}`).join(', ')}
      <PlacesBar of={counts} />
    </>
  );
}

function Gained({ before, after }: { readonly before: number | null; readonly after: number | null }) {
  if (before === null || after === null) return <span class="hint">not to compare</span>;
  if (before === after) return <span class="hint">the same</span>;
  return after > before ? <span class="valid">more</span> : <span class="invalid">less</span>;
}

const WHATS = { spf: 'SPF', dkim: 'DKIM', dmarc: 'DMARC', arc: 'ARC' } as const;

/** Results as the service compares them: those of DKIM by domain, as there may be several signatures. */
function resultsOf({ report }: PlacementTest): Readonly<Record<keyof typeof WHATS, string | null>> {
  const told = report?.authentication ?? null;
  const signatures = told?.dkim.map(({ domain, result }) => `${domain} ${result}`).toSorted();
  return {
    spf: told?.spf?.result ?? null,
    dkim: signatures === undefined ? null : signatures.join(', ') || 'none',
    dmarc: told?.dmarc.result ?? null,
    arc: told?.arc.result ?? null,
  };
}

function Authentications({ from, to, diff }: ComparisonProps) {
  const [before, after] = [resultsOf(from), resultsOf(to)];
  const changed = new Set(diff.authentication.map(({ what }) => what));
  return (
    <Section id="authentication" title="Who they say they are from">
      <Table
        label="Who they say they are from"
        rows={Object.keys(WHATS) as (keyof typeof WHATS)[]}
        keyOf={(what) => what}
        columns={{
          Check: (what) => WHATS[what],
          Before: (what) => <Result of={before[what]} />,
          After: (what) => <Result of={after[what]} />,
          '': (what) => (changed.has(what) ? <strong>changed</strong> : <span class="hint">the same</span>),
        }}
      />
    </Section>
  );
}

function Result({ of: result }: { readonly of: string | null }) {
  if (result === null) return <span class="hint">not judged</span>;
  const word = result.split(' ').at(-1)!;
  const colour = word === 'pass' ? 'valid' : word === 'none' ? undefined : 'invalid';
  return <span class={`wrap ${colour ?? ''}`}>{result}</span>;
}

interface MovedProps {
  readonly of: Diff['findings'];
  /** The later test, whose report has the words of what is in both. */
  readonly kept: PlacementTest;
}

function FindingsThatMoved({ of: { opened, resolved, kept: codes }, kept }: MovedProps) {
  // Of two findings with one code, one may be new.
  const isNew = (text: string) => opened.some(({ explanation }) => explanation === text);
  const stayed = (kept.report?.findings ?? []).filter((one) => codes.includes(one.code) && !isNew(one.explanation));
  return (
    <>
      <Section id="came" title={opened.length === 0 ? 'Nothing new is wrong' : 'What is wrong now, and was not before'}>
        <Findings of={opened} />
      </Section>
      <MovedFindings id="went" title="What was wrong before, and is not now" of={resolved} />
      <MovedFindings id="stayed" title="What is wrong in both" of={stayed} />
    </>
  );
}

interface LinesProps {
  readonly id: string;
  readonly title: string;
  readonly of: Diff['findings']['resolved'];
}

function MovedFindings({ id, title, of: findings }: LinesProps) {
  if (findings.length === 0) return null;
  return (
    <Section id={id} title={title}>
      <FindingLines of={findings} named={id} />
    </Section>
  );
}
