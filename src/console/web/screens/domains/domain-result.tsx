import { Facts } from '../../parts/facts.js';
import { count, counted } from '../../parts/figures.js';
import { areaName, AREAS, Findings } from '../../parts/deliverability/findings.js';
import { Table } from '../../parts/paged-table.js';
import { StateBadge } from '../../parts/deliverability/state-badge.js';
import { Time } from '../../parts/time.js';
import type { Account } from '../../shell/api.js';
import { linkTo } from '../../shell/routes.js';

export type DomainCheck = Account['schemas']['DomainCheckReply'];

/** What receivers make for one mail (RFC 7208 section 4.6.4). */
const MAX_LOOKUPS = 10;

const STATES: Readonly<Record<string, string>> = {
  ok: 'Nothing is wrong with what it publishes.',
  warning: 'Mail arrives, but not as safely as it could.',
  critical: 'Receivers refuse or distrust its mail.',
  unknown: 'Some questions got no answer, so the domain may be worse than it looks. You pay nothing. Try again later.',
};

/** What a domain publishes about its mail: what is wrong first, then all that was found. */
export function DomainResult({ of }: { readonly of: DomainCheck }) {
  const { domain, state, counts, findings, records, unanswered, credits_charged: charged } = of;
  return (
    <>
      <section class="card" aria-label="Result">
        <h2 class="verdict">
          <span class="mono wrap">{domain}</span>
          <StateBadge state={state} />
        </h2>
        <p>
          {STATES[state]}{' '}
          {findings.length > 0 &&
            `${count(counts.critical)} critical, ${counted(counts.warning, 'warning')}, ${count(counts.info)} worth knowing.`}
        </p>
        {records.length > 0 && <Areas of={of} />}
        {unanswered.length > 0 && (
          <Facts
            of={[
              [
                'Without an answer',
                <span key="unanswered" class="mono lines">
                  {unanswered.join('\n')}
                </span>,
              ],
            ]}
          />
        )}
        <p class="hint">
          Checked <Time at={of.checked_at} />, {charged === 0 ? 'free' : counted(charged, 'credit')}.
        </p>
        <a class="button small" href={`${linkTo('/monitors')}?domain=${encodeURIComponent(domain)}`}>
          Watch this domain
        </a>
      </section>
      <Findings of={findings} />
      <Found of={records} />
      <SpfTree terms={of.spf_terms} lookups={of.spf_lookups} />
    </>
  );
}

/** In one look: which part of a domain is sound, and which is not. */
function Areas({ of: { findings, records, dnssec, unknown_areas: unknown } }: { readonly of: DomainCheck }) {
  const stateOf = (area: string): string | null => {
    const own = findings.filter((one) => one.area === area);
    if (own.length > 0) return own[0]!.severity;
    if (unknown.some((one) => one === area)) return 'unknown';
    const isThere = records.some((one) => one.area === area) || (area === 'dnssec' && dnssec === 'secure');
    return isThere ? 'ok' : null;
  };
  const areas = new Set([...Object.keys(AREAS), ...findings.map((one) => one.area), ...records.map((one) => one.area)]);
  return (
    <ul class="tiles" aria-label="Parts">
      {[...areas].map((area) => (
        <li key={area}>
          {areaName(area)} <AreaState state={stateOf(area)} />
        </li>
      ))}
    </ul>
  );
}

function AreaState({ state }: { readonly state: string | null }) {
  return state === null ? <span class="hint">none</span> : <StateBadge state={state} />;
}

function Found({ of: records }: { readonly of: DomainCheck['records'] }) {
  if (records.length === 0) return null;
  return (
    <section aria-labelledby="records">
      <h2 id="records">What was found</h2>
      <Table
        label="What was found"
        rows={records}
        keyOf={({ name, type, value }) => `${name} ${type} ${value}`}
        columns={[
          { name: 'For', cell: ({ area }) => <span class="nowrap">{areaName(area)}</span> },
          {
            name: 'Record',
            cell: ({ name, type, value }) => (
              <>
                <span class="hint mono wrap">
                  {name} {type}
                </span>
                <span class="mono long">{value}</span>
              </>
            ),
          },
        ]}
      />
    </section>
  );
}

const NOTES: Readonly<Record<string, string>> = {
  missing: 'has no SPF record',
  multiple: 'has several SPF records',
  syntax: 'cannot be read',
  unanswered: 'the DNS did not answer',
  circle: 'leads back to itself',
  too_many_mail_hosts: 'has more than 10 mail hosts',
};

interface SpfTreeProps {
  readonly terms: DomainCheck['spf_terms'];
  readonly lookups: number;
}

/** Who in the record needs how many of the ten questions. */
export function SpfTree({ terms, lookups }: SpfTreeProps) {
  if (terms.length === 0) return null;
  return (
    <section aria-labelledby="spf-tree">
      <h2 id="spf-tree">What SPF asks for</h2>
      <p>
        {count(lookups)} of {MAX_LOOKUPS} look-ups. Receivers make no more, and SPF fails for every mail where a record
        needs them.
      </p>
      <div class="bar" aria-hidden="true">
        <span
          class={lookups > MAX_LOOKUPS ? 'invalid' : lookups > 7 ? 'risky' : 'valid'}
          style={{ width: `${Math.min(1, lookups / MAX_LOOKUPS) * 100}%` }}
        />
      </div>
      <Table
        label="What SPF asks for"
        rows={terms.map((term, place) => ({ ...term, place }))}
        keyOf={({ place }) => place}
        columns={[
          {
            name: 'Term',
            cell: ({ depth, term }) => (
              <span class="mono long" style={{ paddingInlineStart: `${depth * 1.25}rem` }}>
                {depth > 0 && <span class="visually-hidden">{`level ${depth + 1}: `}</span>}
                {term}
              </span>
            ),
          },
          { name: 'Look-ups', cell: (one) => count(one.lookups), isNumber: true },
          {
            name: 'Note',
            cell: ({ problem, void: isVoid }) =>
              problem === null ? isVoid && 'there is no such name' : <span class="invalid">{NOTES[problem]}</span>,
          },
        ]}
      />
    </section>
  );
}
