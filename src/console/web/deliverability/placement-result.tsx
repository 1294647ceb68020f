import type { ComponentChildren } from 'preact';
import { Findings } from './findings.js';
import { count, duration, Facts, percent, StateBadge } from '../parts/values.js';
import { providerName } from '../parts/provider-names.js';
import { figure, Section, Table } from '../parts/listing.js';
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
    <Section id="placement" title="Where it arrived" class="card">
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
        columns={{
          Provider: ({ provider }) => providerName(provider),
          ...Object.fromEntries(
            PLACES.map(([place, name, colour]) => [
              name,
              (one: Provider) => figure(<Few of={one[place]} colour={colour} />),
            ]),
          ),
          Measured: (one) => one.measured,
          'Not counted': (one) => figure(<Few of={one.pending + one.seed_error} />),
        }}
      />
      <details>
        <summary>Every mailbox</summary>
        <Table
          label="Every mailbox"
          rows={providers.flatMap(({ provider, seeds }) => seeds.map((seed, place) => ({ ...seed, provider, place })))}
          keyOf={({ provider, place }) => `${provider} ${place}`}
          columns={{
            Provider: ({ provider }) => providerName(provider),
            Where: (seed) => placeOf(seed),
            After: ({ arrived_after_s: after }) => figure(after === null ? '–' : duration(after)),
            'Known by': ({ matched_by: by }) => by?.replaceAll('_', ' ') ?? '–',
            SPF: ({ authentication: told }) => told?.spf ?? '–',
            DKIM: ({ authentication: told }) => told?.dkim ?? '–',
            DMARC: ({ authentication: told }) => told?.dmarc ?? '–',
          }}
        />
      </details>
      <p class="note">{placement.note}</p>
    </Section>
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
      <Section
        id="wrong"
        title={findings.length === 0 ? 'Nothing is wrong with the message' : 'What is wrong with the message'}
      >
        {!report.dns_answered && (
          <p class="note">
            Our DNS resolver did not answer: nothing is said of what depends on it, and this report costs nothing.
          </p>
        )}
        <Findings of={findings} />
      </Section>
      <Section id="report" title="The report">
        {Object.entries(parts).map(([name, value]) =>
          value === null ? null : (
            <Part key={name} title={SECTIONS[name] ?? name.replaceAll('_', ' ')} isOpen={name === 'authentication'}>
              {name === 'authentication' && authentication !== null && <Passed of={authentication} />}
              <FactList of={{ ...value }} label={SECTIONS[name] ?? name} />
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
      </Section>
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

/** More rows than these nobody reads; the reply has them all. */
const MAX_ROWS = 100;

/** In a narrow column it would be as tall as the window. */
const LONG = 60;
/** Words such as names of headers stand behind one another, records below. */
const SHORT_LABEL = 30;

const CODE = /^[a-z]+(_[a-z]+)+$/;

type DetailMembers = Readonly<Record<string, unknown>>;

/** Written as the standards write them. */
const SHORT = ['spf', 'dkim', 'dmarc', 'arc', 'helo', 'tls', 'url', 'html', 'ip', 'id', 'ptr', 'dns', 'dnssec'];

/** Such as `Policy domain`, and `SPF`. */
function labelOf(name: string): string {
  const words = name.split('_').map((word) => (SHORT.includes(word) ? word.toUpperCase() : word));
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
const isObject = (value: unknown): value is DetailMembers =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whatever the service tells of something, name by name: a part that it learns to tell is shown without anybody writing a screen. */
function FactList({ of, label }: { readonly of: DetailMembers; readonly label: string }) {
  const entries = Object.entries(of);
  const tables = entries.filter(([, value]) => Array.isArray(value) && value.some(isObject));
  const parts = entries.filter(([, value]) => isObject(value));
  const facts = entries.filter((entry) => !tables.includes(entry) && !parts.includes(entry));
  return (
    <>
      <Facts of={{}} more={facts.map(([name, value]) => [labelOf(name), <Value key={name} of={value} />])} />
      {parts.map(([name, value]) => (
        <div key={name} class="below">
          <h3>{labelOf(name)}</h3>
          <FactList of={value as DetailMembers} label={`${label}: ${labelOf(name)}`} />
        </div>
      ))}
      {tables.map(([name, value]) => (
        <DetailRows
          key={name}
          rows={value as DetailMembers[]}
          label={`${label}: ${labelOf(name)}`}
          title={labelOf(name)}
        />
      ))}
    </>
  );
}

interface DetailRowsProps {
  readonly rows: readonly DetailMembers[];
  readonly label: string;
  readonly title: string;
}

function DetailRows({ rows, label, title }: DetailRowsProps) {
  const shown = rows.filter(isObject).slice(0, MAX_ROWS);
  const names = [...new Set(shown.flatMap((row) => Object.keys(row)))];
  return (
    <div class="below">
      <h3>{title}</h3>
      <Table<{ row: DetailMembers; place: number }>
        label={label}
        rows={shown.map((row, place) => ({ row, place }))}
        keyOf={({ place }) => place}
        columns={{}}
        more={names.map((name) => [labelOf(name), ({ row }) => <Value of={row[name]} />])}
      />
    </div>
  );
}

/** In a word that says whether it is well, where the service has one; else as it is. */
function Value({ of }: { readonly of: unknown }) {
  if (of === null || of === undefined || of === '') return <span class="hint">–</span>;
  if (typeof of === 'boolean') return <>{of ? 'yes' : 'no'}</>;
  if (of === 'pass') return <span class="valid">pass</span>;
  if (of === 'fail') return <span class="invalid">fail</span>;
  const text = Array.isArray(of) ? textOfAll(of) : textOf(of);
  return <span class={`mono lines ${text.length > LONG ? 'wide' : ''}`}>{text}</span>;
}

function textOfAll(values: readonly unknown[]): string {
  const texts = values.map(textOf);
  return texts.join(texts.every((text) => text.length <= SHORT_LABEL) ? ', ' : '\n') || '–';
}

/** A word of the service reads as words; what others have written stays as it is. */
const textOf = (value: unknown): string => {
  if (typeof value !== 'string') return typeof value === 'number' ? count(value) : JSON.stringify(value);
  return CODE.test(value) ? value.replaceAll('_', ' ') : value;
};
