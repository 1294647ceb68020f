import { count, counted } from '../../parts/figures.js';
import { Empty, Table } from '../../parts/paged-table.js';
import { Time } from '../../parts/time.js';
import type { Admin } from '../../shell/api.js';

type Source = Admin['schemas']['EgressSourceReply'];
type Operator = Admin['schemas']['OperatorReply'];
type Refusal = Admin['schemas']['SourceRefusalsBody'];

export const REFUSAL_WORDS: Readonly<Record<Refusal['kind'], string>> = {
  ip_blocked: 'blocked',
  rate_limited: 'limited',
  sender_rejected: 'sender rejected',
  greylisted: 'greylisted',
};

interface GridProps {
  readonly sources: readonly Source[];
  readonly operators: readonly Operator[];
}

/** A row for each mail operator that is not asked from everywhere, a column for each source. */
export function EgressGrid({ sources, operators }: GridProps) {
  const refusing = new Set(sources.flatMap(({ refusals }) => refusals.map(({ operator }) => operator)));
  const known = new Set(operators.map(({ name }) => name));
  const troubled = [
    ...operators.filter(({ name, paused, circuits }) => paused !== null || circuits.length > 0 || refusing.has(name)),
    ...[...refusing]
      .filter((name) => !known.has(name))
      .map((name) => ({ name, title: null, paused: null, circuits: [] })),
  ];
  return (
    <section aria-labelledby="grid">
      <h2 id="grid">Operators and sources</h2>
      {troubled.length === 0 ? (
        <Empty title="No mail operator refuses a source">
          <p>
            {counted(operators.length, 'operator')}, {counted(sources.length, 'source')}.
          </p>
        </Empty>
      ) : (
        <Table
          label="Operators and sources"
          rows={troubled}
          keyOf={({ name }) => name}
          columns={[
            { name: 'Operator', cell: ({ name, title }) => <span class="wrap">{title ?? name}</span> },
            ...sources.map((source) => ({
              name: source.name,
              cell: (operator: Operator) => <Meeting of={operator} with={source} />,
            })),
          ]}
        />
      )}
    </section>
  );
}

function Meeting({ of: operator, with: source }: { readonly of: Operator; readonly with: Source }) {
  const refusals = source.refusals.filter((one) => one.operator === operator.name);
  return (
    <>
      <State of={operator} with={source} />
      {refusals.map((refusal) => (
        <div key={refusal.kind}>
          {count(refusal.refusals)} {REFUSAL_WORDS[refusal.kind]}, the last <Time at={refusal.last_at} />:{' '}
          <LastWords of={refusal} />
        </div>
      ))}
    </>
  );
}

/** Text of a stranger: it is shown as it is, and never as a link. */
export function LastWords({ of: { last_reply: codes, last_text: text } }: { readonly of: Refusal }) {
  return <q class="mono wrap">{`${codes} ${text}`.trim()}</q>;
}

function State({ of: { name, paused, circuits }, with: source }: { readonly of: Operator; readonly with: Source }) {
  const circuit = circuits.find((one) => one.source === source.name);
  if (paused !== null) return <span class="badge risky">paused</span>;
  if (source.operators !== null && !source.operators.includes(name)) return <span class="hint">not its operator</span>;
  if (circuit === undefined)
    return source.condition === 'open' ? (
      <span class="badge valid">asked</span>
    ) : (
      <span class="badge risky">{source.condition}</span>
    );
  return (
    <>
      <span class="badge invalid">refuses</span> {counted(circuit.refusals, 'refusal')}, the last{' '}
      <span class="mono">{circuit.last_refusal}</span>, left alone until <Time at={circuit.open_until} />
    </>
  );
}
