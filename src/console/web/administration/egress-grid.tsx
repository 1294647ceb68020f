import { count, counted, Time } from '../parts/values.js';
import { Empty, Section, Table } from '../parts/listing.js';
import type { Admin } from '../session/api.js';

type Source = Admin['schemas']['EgressSourceReply'];
type Operator = Admin['schemas']['OperatorReply'];
type Refusal = Admin['schemas']['SourceRefusalsBody'];

export const REFUSAL_LABELS: Readonly<Record<Refusal['kind'], string>> = {
  ip_blocked: 'blocked',
  rate_limited: 'limited',
  sender_rejected: 'sender rejected',
  greylisted: 'greylisted',
};

/** Those after which somebody has to do something; after the others the same question is asked again by itself. */
const SERIOUS: ReadonlySet<Refusal['kind']> = new Set(['ip_blocked', 'sender_rejected']);

/** Operators that are paused or that refuse a source now come first, then those that refused one for what it is. */
const RANKS = { now: 0, serious: 1, harmless: 2 } as const;

interface GridProps {
  readonly sources: readonly Source[];
  readonly operators: readonly Operator[];
}

interface Troubled extends Pick<Operator, 'name' | 'title' | 'paused' | 'circuits'> {
  readonly rank: keyof typeof RANKS;
  readonly refusals: number;
}

/** A row for each mail operator that is not asked from everywhere, the worst first, and a column for each source. */
export function EgressGrid({ sources, operators }: GridProps) {
  const troubled = troubledOf(sources, operators);
  const harmless = troubled.filter(({ rank }) => rank === 'harmless');
  const others = troubled.filter(({ rank }) => rank !== 'harmless');
  const hosts = counted(harmless.length, 'operator');
  return (
    <Section id="grid" title="Operators and sources">
      {others.length === 0 && (
        <Empty title="No mail operator refuses a source">
          <p>
            {counted(operators.length, 'operator')}, {counted(sources.length, 'source')}.
          </p>
        </Empty>
      )}
      {others.length > 0 && <Grid label="Operators and sources" rows={others} sources={sources} />}
      {harmless.length > 0 && (
        <details class="card">
          <summary>{hosts} only greylisted or limited: they are asked again by themselves</summary>
          <Grid label="Operators that greylist or limit" rows={harmless} sources={sources} />
        </details>
      )}
    </Section>
  );
}

function Grid({
  label,
  rows,
  sources,
}: {
  readonly label: string;
  readonly rows: readonly Troubled[];
  readonly sources: readonly Source[];
}) {
  return (
    <Table<Troubled>
      label={label}
      rows={rows}
      keyOf={({ name }) => name}
      columns={{ Operator: ({ name, title }) => <div class="wrap host">{title ?? name}</div> }}
      more={sources.map((source) => [source.name, (operator) => <Meeting of={operator} with={source} />])}
    />
  );
}

function troubledOf(sources: readonly Source[], operators: readonly Operator[]): Troubled[] {
  const refusals = new Map<string, Refusal[]>();
  for (const one of sources.flatMap((source) => source.refusals))
    refusals.set(one.operator, [...(refusals.get(one.operator) ?? []), one]);
  const known = new Set(operators.map(({ name }) => name));
  const strangers = [...refusals.keys()]
    .filter((name) => !known.has(name))
    .map((name) => ({ name, title: null, paused: null, circuits: [] }));
  return [...operators, ...strangers]
    .filter(({ name, paused, circuits }) => paused !== null || circuits.length > 0 || refusals.has(name))
    .map((operator): Troubled => {
      const own = refusals.get(operator.name) ?? [];
      const isNow = operator.paused !== null || operator.circuits.length > 0;
      const rank = isNow ? 'now' : own.some(({ kind }) => SERIOUS.has(kind)) ? 'serious' : 'harmless';
      return { ...operator, rank, refusals: own.reduce((sum, one) => sum + one.refusals, 0) };
    })
    .toSorted((a, b) => RANKS[a.rank] - RANKS[b.rank] || b.refusals - a.refusals);
}

function Meeting({ of: operator, with: source }: { readonly of: Troubled; readonly with: Source }) {
  const refusals = source.refusals
    .filter((one) => one.operator === operator.name)
    .toSorted((a, b) => Number(SERIOUS.has(b.kind)) - Number(SERIOUS.has(a.kind)));
  return (
    <>
      <State of={operator} with={source} />
      {refusals.map((refusal) => (
        <div key={refusal.kind}>
          {count(refusal.refusals)} {REFUSAL_LABELS[refusal.kind]}, the last <Time at={refusal.last_at} />
          {SERIOUS.has(refusal.kind) && (
            <>
              : <LastReply of={refusal} />
            </>
          )}
        </div>
      ))}
    </>
  );
}

/** Text of a stranger: it is shown as it is, and never as a link. */
export function LastReply({ of: { last_reply: codes, last_text: text } }: { readonly of: Refusal }) {
  return <q class="mono wrap">{`${codes} ${text}`.trim()}</q>;
}

/** No process can ask from it now: its address is on none of their machines, or its proxy does not answer. */
export function isAtFault({ processes }: Source): boolean {
  return processes.length > 0 && processes.every(({ fault }) => fault !== null);
}

function State({ of: { name, paused, circuits }, with: source }: { readonly of: Troubled; readonly with: Source }) {
  const circuit = circuits.find((one) => one.source === source.name);
  if (paused !== null) return <span class="badge risky">paused</span>;
  if (source.operators !== null && !source.operators.includes(name)) return <span class="hint">not its operator</span>;
  if (circuit === undefined) {
    if (source.condition !== 'open') return <span class="badge risky">{source.condition}</span>;
    return isAtFault(source) ? <span class="badge invalid">at fault</span> : <span class="badge valid">asked</span>;
  }
  return (
    <>
      <span class="badge invalid">refuses</span> {counted(circuit.refusals, 'refusal')}, the last{' '}
      <span class="mono">{circuit.last_refusal}</span>, left alone until <Time at={circuit.open_until} />
    </>
  );
}

export const CONDITIONS: Readonly<Record<Source['condition'], string>> = {
  open: 'valid',
  drained: 'risky',
  paused: 'risky',
  resting: 'invalid',
};

/** One operator that refuses an address is that operator's matter; several say that the address is in trouble. */
const SEVERAL = 3;

/** All sources, a line each: which of them is in trouble, and with what. */
export function SourcesAtAGlance({ sources }: { readonly sources: readonly Source[] }) {
  return (
    <Table
      label="Sources at a glance"
      rows={sources}
      keyOf={({ name }) => name}
      columns={{
        Source: ({ name }) => <a href={`#source-${name}`}>{name}</a>,
        State: (source) => <StateOf source={source} />,
        'Refused now by': ({ circuits }) => <RefusedBy operators={circuits.length} />,
        'Refusals in 24 hours': (source) => <Counts of={source} />,
        'What mail hosts see': (source) => <Checks of={source} />,
      }}
    />
  );
}

function StateOf({ source }: { readonly source: Source }) {
  const { condition, stopped_at: since } = source;
  if (condition === 'open' && isAtFault(source)) {
    const [first] = source.processes;
    return (
      <>
        <span class="badge invalid">at fault</span> {first!.fault}
      </>
    );
  }
  return (
    <>
      <span class={`badge ${CONDITIONS[condition]}`}>{condition}</span>
      {since !== null && (
        <>
          {' '}
          since <Time at={since} />
        </>
      )}
    </>
  );
}

function RefusedBy({ operators }: { readonly operators: number }) {
  if (operators === 0) return <>nobody</>;
  const kind = operators >= SEVERAL ? 'invalid' : 'risky';
  return <span class={`badge ${kind}`}>{counted(operators, 'operator')}</span>;
}

function Counts({ of: { refusals } }: { readonly of: Source }) {
  const kinds = Object.entries(REFUSAL_LABELS).flatMap(([kind, word]) => {
    const all = refusals.filter((one) => one.kind === kind).reduce((sum, one) => sum + one.refusals, 0);
    return all === 0 ? [] : [`${count(all)} ${word}`];
  });
  return <>{kinds.length === 0 ? 'none' : kinds.join(', ')}</>;
}

function Checks({ of: { checks, listings } }: { readonly of: Source }) {
  const failed = checks.filter(({ state }) => state === 'fail').length;
  const harmful = listings.filter((one) => one.harmful).length;
  if (failed + listings.length === 0) return <>{checks.length === 0 ? 'not looked at yet' : 'no fault found'}</>;
  return (
    <>
      {failed > 0 && <span class="badge invalid">{counted(failed, 'check')} failed</span>}{' '}
      {listings.length > 0 && (
        <span class={`badge ${harmful > 0 ? 'invalid' : 'risky'}`}>{counted(listings.length, 'listing')}</span>
      )}
    </>
  );
}
