import { count, counted, Facts, StateBadge, Time } from '../parts/values.js';
import { Table } from '../parts/listing.js';
import { Outside } from './findings.js';
import type { Account } from '../session/api.js';

export type ListCheck = Account['schemas']['BlacklistCheckReply'];
export type ListTarget = ListCheck['results'][number];
type Target = ListTarget;
type Answer = Target['lists'][number];

/** What the service notes in one word where a list has said nothing that counts. */
const WHY: Readonly<Record<string, string>> = {
  needs_key: 'needs a key of the operator',
  turned_off: 'turned off by the operator',
  unsupported_kind: 'has no entries of this kind',
  budget: 'was asked as often today as it allows',
  public_resolver: 'does not answer the resolver of this service',
  test_point_missing: 'did not know its own test entry, so nothing that it says counts',
  timeout: 'took too long',
  servfail: 'its name servers failed',
  untrusted: 'was not heard: our own DNS resolver gives answers that contradict what is known',
};
export const whyNot = (why: string | null): string => (why === null ? '' : (WHY[why] ?? why.replaceAll('_', ' ')));

/** Lists within a list, which their operators write in capitals. */
const SHORT = ['sbl', 'css', 'xbl', 'pbl', 'bcl', 'drop'];
const meaningOf = (meaning: string): string =>
  SHORT.includes(meaning) ? meaning.toUpperCase() : meaning.replaceAll('_', ' ');

const ACTIONS: Readonly<Record<string, string>> = {
  fix_then_delist: 'Mend the cause, then ask for the removal',
  fix_then_wait: 'Mend the cause; the listing ends by itself',
  wait: 'Wait: it ends by itself',
  none: 'Nothing that you could mend',
};

const HARMS = ['info', 'low', 'medium', 'high', 'critical'];
const harmOf = ({ severity }: Answer): number => HARMS.indexOf(severity ?? '');
/** More than these would hide each other: then their headings are shown alone. */
const MAX_OPEN = 3;

const EXPLANATIONS = {
  listed: 'At least one list has it.',
  unknown: 'A list that matters has not answered, so it is not called clean.',
  clean: 'No list has it, and every list that matters has answered.',
} as const;
const WORST_FIRST = Object.keys(EXPLANATIONS);

/** Clean in part: what the lists that answered say is no more than that. */
function explanationOf({ status, coverage }: Target): string {
  if (status !== 'clean' || coverage?.partial !== true) return EXPLANATIONS[status];
  return `No list that answered has it. Lists that matter have not answered: ${coverage.missing.join(', ')}.`;
}

/** What block lists say: what to do about each listing, then who has not answered; every target with every list on demand. */
export function ListResults({ of: { results, credits_charged: charged, checked_at: at } }: { readonly of: ListCheck }) {
  return (
    <>
      <p class="hint">
        Checked <Time at={at} />, {charged === 0 ? 'free' : counted(charged, 'credit')}.
      </p>
      {results
        .toSorted((a, b) => WORST_FIRST.indexOf(a.status) - WORST_FIRST.indexOf(b.status))
        .map((target) => (
          <TargetCard key={target.target} of={target} />
        ))}
      {results.length > 1 && (
        <details>
          <summary>Every target with every list</summary>
          <Grid of={results} />
        </details>
      )}
    </>
  );
}

/** A row for each target, a column for each list that was asked; those that have somebody stand first. */
function Grid({ of: targets }: { readonly of: readonly Target[] }) {
  const answers = targets.flatMap(({ lists }) => lists).filter(({ status }) => status !== 'not_asked');
  const listing = new Set(answers.filter(({ status }) => status === 'listed').map(({ list }) => list));
  const asked = [...new Set([...listing, ...answers.map(({ list }) => list)])];
  return (
    <Table<Target>
      label="Targets and lists"
      rows={targets}
      keyOf={({ target }) => target}
      columns={{
        Target: ({ target }) => <span class="mono host">{target}</span>,
        'In all': ({ status }) => <StateBadge state={status} />,
      }}
      more={asked.map((list) => [list, ({ lists }) => <Cell of={lists.find((one) => one.list === list)} />])}
    />
  );
}

function Cell({ of }: { readonly of: Answer | undefined }) {
  if (of === undefined || of.status === 'not_asked') return <span class="hint">not asked</span>;
  if (of.status === 'not_listed') return <span class="hint">no</span>;
  if (of.status === 'listed') return <span class="invalid">{meaningOf(of.meaning ?? 'listed')}</span>;
  return <span class="unknown">{of.status.replaceAll('_', ' ')}</span>;
}

/** What every list says of one target. */
export function TargetCard({ of }: { readonly of: Target }) {
  const { target, kind, status, worst, counts, lists } = of;
  const withStatus = (...statuses: string[]) => lists.filter((one) => statuses.includes(one.status));
  const listings = withStatus('listed').toSorted((a, b) => harmOf(b) - harmOf(a));
  const silent = lists.filter(({ status: one }) => !['listed', 'not_listed', 'not_asked'].includes(one));
  const notAsked = withStatus('not_asked');
  return (
    <section class="card" aria-label={target}>
      <h2 class="verdict">
        <span class="mono wrap">{target}</span>
        <StateBadge state={status} />
        {worst !== null && <span class="hint">worst: {worst}</span>}
      </h2>
      <p>
        {explanationOf(of)} {counted(counts.asked, 'list')} asked, {count(counts.listed)} have it,{' '}
        {count(counts.not_listed)} do not, {count(counts.no_answer)} without an answer that counts.
      </p>
      {listings.map((one) => (
        <Listing key={one.list} of={one} isOpen={listings.length <= MAX_OPEN} />
      ))}
      {silent.length > 0 && (
        <Table
          label={`No answer that counts about ${target}`}
          rows={[...new Set(silent.map(silence))].map((kind) => silent.filter((one) => silence(one) === kind))}
          keyOf={([first]) => silence(first!)}
          columns={{
            'No answer that counts': (alike) => <StateBadge state={alike[0]!.status} />,
            Why: ([first]) => <span class="long">{reasonOf(first!)}</span>,
            Lists: (alike) => <span class="long">{names(alike)}</span>,
          }}
        />
      )}
      <details>
        <summary>
          {count(counts.not_listed)} do not have it, {count(counts.not_asked)} were not asked
        </summary>
        <Facts
          of={{
            'Do not have it': names(withStatus('not_listed')),
            ...Object.fromEntries(
              [...new Set(notAsked.map(({ why }) => why))].map(
                (why) => [`Not asked: ${whyNot(why)}`, names(notAsked.filter((one) => one.why === why))] as const,
              ),
            ),
          }}
        />
      </details>
      <a class="button small" href={`/console/monitors?${kind === 'domain' ? 'domain' : 'address'}=${target}`}>
        Watch this {kind === 'domain' ? 'domain' : 'address'}
      </a>
    </section>
  );
}

const reasonOf = ({ why, codes }: Answer): string => [whyNot(why), ...codes].filter(Boolean).join(', ');
/** Lists that are silent alike stand in one row: one resolver that they refuse silences them all. */
const silence = (one: Answer): string => `${one.status} ${reasonOf(one)}`;

const names = (answers: readonly Answer[]): string => answers.map(({ list }) => list).join(', ') || 'none';

/** One list that has the target: what it means, what to do, and by what it is known. */
function Listing({ of: one, isOpen }: { readonly of: Answer; readonly isOpen: boolean }) {
  const { severity, meaning, action, codes } = one;
  const colour = severity === 'info' ? 'info' : severity === 'critical' || severity === 'high' ? 'critical' : 'warning';
  return (
    <article class={`finding ${colour}`} aria-label={one.list}>
      <details open={isOpen}>
        <summary>
          <StateBadge state={severity ?? 'listed'} /> <strong>{one.list}</strong> {one.explanation}
        </summary>
        <p>
          {action !== null && <strong>{ACTIONS[action] ?? action}. </strong>}
          {one.advice}
        </p>
        <p class="actions">
          {one.delist_url !== null && <Outside to={one.delist_url}>Ask for the removal</Outside>}
          {one.lookup_url !== null && <Outside to={one.lookup_url}>Look at the list</Outside>}
        </p>
        <Facts
          of={{
            Meaning: meaning === null ? null : meaningOf(meaning),
            'Its words': one.reason && <q class="mono wrap">{one.reason}</q>,
            Answer: (
              <>
                <span class="mono">{codes.join(', ')}</span>
                {one.confirmed && ', asked twice, while the list proved itself'}
              </>
            ),
            Asked: <Time at={one.asked_at} />,
          }}
        />
      </details>
    </article>
  );
}
