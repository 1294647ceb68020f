import type { ComponentChildren } from 'preact';
import { Findings } from './findings.js';
import { providerName, StateBadge } from '../parts/badge.js';
import { ToldFacts } from './told.js';
import { count, duration, percent } from '../parts/figures.js';
import { Table } from '../parts/paged-table.js';
import type { Account } from '../session/api.js';
import { TargetCard } from './list-results.js';

export type PlacementTest = Account['schemas']['PlacementTestReply'];
type Placement = NonNullable<PlacementTest['placement']>;
type Provider = Placement['providers'][number];
type Seed = Provider['seeds'][number];

/** Where mail can lie, as a bar shows it, best first. */
export const PLACES = [
  ['inbox', 'Inbox', 'valid'],
  ['tab', 'Tab', 'unknown'],
  ['other_folder', 'Other folder', 'risky'],
  ['spam', 'Spam', 'invalid'],
  ['missing', 'Missing', 'invalid'],
] as const;

/** Of so few mailboxes a share would say more than is known. */
const MIN_SHARED = 3;

/** Where the mailboxes of a test have found the mail, by provider. */
export function PlacementGrid({ of: placement }: { readonly of: Placement }) {
  const { measured, pending, seed_error: errors, providers } = placement;
  return (
    <section class="card" aria-labelledby="placement">
      <h2 id="placement">Where it arrived</h2>
      <div class="bar" aria-hidden="true">
        {PLACES.map(([place, , colour]) =>
          placement[place] === 0 || measured === 0 ? null : (
            <span key={place} class={colour} style={{ width: `${(placement[place] / measured) * 100}%` }} />
          ),
        )}
      </div>
      <ul class="tiles" aria-label="In all">
        {PLACES.map(([place, name, colour]) => (
          <li key={place}>
            {name}
            <strong class={placement[place] === 0 ? 'hint' : colour}>
              {count(placement[place])}
              {measured >= MIN_SHARED && ` · ${percent(placement[place] / measured)}`}
            </strong>
          </li>
        ))}
      </ul>
      <p>
        {count(measured)} of {count(measured + pending + errors)} mailboxes measured
        {pending > 0 && `, ${count(pending)} not yet`}
        {errors > 0 && `, ${count(errors)} that we could not look into and that count nowhere`}.
      </p>
      <Table<Provider>
        label="Providers"
        rows={providers}
        keyOf={({ provider }) => provider}
        columns={[
          { name: 'Provider', cell: ({ provider }) => providerName(provider) },
          ...PLACES.map(([place, name, colour]) => ({
            name,
            cell: (one: Provider) => <Few of={one[place]} colour={colour} />,
            isNumber: true,
          })),
          { name: 'Measured', cell: (one) => count(one.measured), isNumber: true },
          { name: 'Not counted', cell: (one) => <Few of={one.pending + one.seed_error} />, isNumber: true },
        ]}
      />
      <details>
        <summary>Every mailbox</summary>
        <Table
          label="Every mailbox"
          rows={providers.flatMap(({ provider, seeds }) => seeds.map((seed, place) => ({ ...seed, provider, place })))}
          keyOf={({ provider, place }) => `${provider} ${place}`}
          columns={[
            { name: 'Provider', cell: ({ provider }) => providerName(provider) },
            { name: 'Where', cell: (seed) => placeOf(seed) },
            {
              name: 'After',
              cell: ({ arrived_after_s: after }) => (after === null ? '–' : duration(after)),
              isNumber: true,
            },
            { name: 'Known by', cell: ({ matched_by: by }) => by?.replaceAll('_', ' ') ?? '–' },
            { name: 'SPF', cell: ({ authentication: told }) => told?.spf ?? '–' },
            { name: 'DKIM', cell: ({ authentication: told }) => told?.dkim ?? '–' },
            { name: 'DMARC', cell: ({ authentication: told }) => told?.dmarc ?? '–' },
          ]}
        />
      </details>
      <p class="note">{placement.note}</p>
    </section>
  );
}

/** None is the rule in most cells, and steps back behind what is there. */
function Few({ of: some, colour }: { readonly of: number; readonly colour?: string }) {
  return <span class={some === 0 ? 'hint' : colour}>{count(some)}</span>;
}

const placeOf = ({ placement, tab }: Seed): string => (tab === null ? placement.replaceAll('_', ' ') : `tab ${tab}`);

const SECTIONS: Readonly<Record<string, string>> = {
  transport: 'How it was handed over',
  authentication: 'Who it says it is from',
  headers: 'Headers',
  unsubscribe: 'Unsubscribing',
  content: 'Content',
  spam_filter: 'Spam filter',
  bulk_sender_rules: 'Rules for bulk senders',
};

export type Report = NonNullable<PlacementTest['report']>;

/** What our own copy of a mail tells: what is wrong first, then every part of it. */
export function MessageReport({ of: report }: { readonly of: Report }) {
  const { findings, reputation, transport, authentication, headers, unsubscribe, content, ...rest } = report;
  const { spam_filter, bulk_sender_rules: rules } = rest;
  const parts = {
    authentication: authentication && inOrder(authentication),
    transport,
    bulk_sender_rules: { rules },
    headers,
    unsubscribe,
    content,
    spam_filter,
  };
  return (
    <>
      <section aria-labelledby="wrong">
        <h2 id="wrong">
          {findings.length === 0 ? 'Nothing is wrong with the message' : 'What is wrong with the message'}
        </h2>
        {!report.dns_answered && (
          <p class="note">
            Our DNS resolver did not answer: nothing is said of what depends on it, and this report costs nothing.
          </p>
        )}
        <Findings of={findings} />
      </section>
      <section aria-labelledby="report">
        <h2 id="report">The report</h2>
        {Object.entries(parts).map(([name, value]) =>
          value === null ? null : (
            <Part key={name} title={SECTIONS[name] ?? name.replaceAll('_', ' ')} isOpen={name === 'authentication'}>
              {name === 'authentication' && authentication !== null && <Passed of={authentication} />}
              <ToldFacts of={{ ...value }} label={SECTIONS[name] ?? name} />
            </Part>
          ),
        )}
        {reputation.length > 0 && (
          <Part title="Block lists">
            {reputation.map((target) => (
              <TargetCard key={target.target} of={target} />
            ))}
          </Part>
        )}
      </section>
    </>
  );
}

type Authentication = NonNullable<Report['authentication']>;

/** As a receiver goes about it; a kept report comes in any order. */
const inOrder = ({ spf, dkim, dmarc, arc }: Authentication) => ({ spf, dkim, dmarc, arc });

/** In one look: what passed. Of several signatures one that passes is enough. */
function Passed({ of: { spf, dkim, dmarc } }: { readonly of: Authentication }) {
  const signature = dkim.find(({ result }) => result === 'pass') ?? dkim[0];
  const results = [
    ['SPF', spf?.result ?? 'not judged'],
    ['DKIM', signature?.result ?? 'none'],
    ['DMARC', dmarc.result],
  ] as const;
  return (
    <ul class="tiles" aria-label="Authentication">
      {results.map(([name, result]) => (
        <li key={name}>
          {name} <StateBadge state={result} />
        </li>
      ))}
    </ul>
  );
}

interface PartProps {
  readonly title: string;
  readonly isOpen?: boolean;
  readonly children: ComponentChildren;
}

function Part({ title, isOpen = false, children }: PartProps) {
  return (
    <details class="card" open={isOpen}>
      <summary>
        <strong>{title}</strong>
      </summary>
      {children}
    </details>
  );
}
