import { count, counted } from '../../parts/figures.js';
import { Table } from '../../parts/paged-table.js';
import { Time } from '../../parts/time.js';
import type { Admin } from '../../shell/api.js';
import { isAtFault, REFUSAL_WORDS } from './egress-grid.js';

type Source = Admin['schemas']['EgressSourceReply'];

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
      columns={[
        { name: 'Source', cell: ({ name }) => <a href={`#source-${name}`}>{name}</a> },
        { name: 'State', cell: (source) => <StateOf source={source} /> },
        { name: 'Refused now by', cell: ({ circuits }) => <RefusedBy operators={circuits.length} /> },
        { name: 'Refusals in 24 hours', cell: (source) => <Counts of={source} /> },
        { name: 'What mail hosts see', cell: (source) => <Seen of={source} /> },
      ]}
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
  const kinds = Object.entries(REFUSAL_WORDS).flatMap(([kind, word]) => {
    const all = refusals.filter((one) => one.kind === kind).reduce((sum, one) => sum + one.refusals, 0);
    return all === 0 ? [] : [`${count(all)} ${word}`];
  });
  return <>{kinds.length === 0 ? 'none' : kinds.join(', ')}</>;
}

function Seen({ of: { checks, listings } }: { readonly of: Source }) {
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
