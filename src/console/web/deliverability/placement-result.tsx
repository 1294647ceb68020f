import type { ComponentChildren } from 'preact';
import { count, duration, Facts, percent, StateBadge } from '../parts/values.js';
import { providerName } from '../parts/provider-names.js';
import { figure, Section, Table } from '../parts/listing.js';
import { TargetCard } from './list-results.js';
import { Findings } from './findings.js';
import {
  byCause,
  failedAt,
  outcomeOf,
  type Placement,
  type PlacementCounts,
  type PlacementTest,
  PLACES,
  type Report,
  unansweredIn,
} from './placement-outcome.js';

type Provider = Placement['providers'][number];
type Seed = Provider['seeds'][number];

interface BadgeProps {
  readonly of: { readonly status: PlacementTest['status']; readonly placement: PlacementCounts | null };
}

/** How far a test is; when it has ended, where its mail went. */
export function TestBadge({ of: { status, placement } }: BadgeProps) {
  if (status !== 'completed') return <StateBadge state={status} />;
  if (placement === null) return <StateBadge state="report only" />;
  const { colour, badge } = outcomeOf(placement);
  return <span class={`badge ${colour}`}>{badge}</span>;
}

interface StepsProps {
  readonly of: Pick<PlacementTest, 'report' | 'placement'>;
}

/** What to do about a mail, the likeliest cause first. Mail that lies in spam is never told that nothing is wrong with it. */
export function NextSteps({ of: { report, placement } }: StepsProps) {
  const findings = byCause(report?.findings ?? []);
  const said = placement === null ? [] : failedAt(placement);
  const hasFailed = said.length > 0 || findings.some(({ severity }) => severity !== 'info');
  const isBad = placement !== null && outcomeOf(placement).isBad;
  const isWell = report !== null && !hasFailed && !isBad;
  const unanswered = report === null ? [] : unansweredIn(report);
  return (
    <Section id="next" title={isWell ? 'No check failed' : 'What to do next'} class="steps">
      {report === null && (
        <p class="note">
          There is no report on the mail, so Mailsonde knows no cause. Make another test, and send the mail to all of
          its addresses.
        </p>
      )}
      {report?.dns_answered === false && (
        <p class="note">
          Our DNS resolver did not answer: nothing is said of what depends on it, and this report costs nothing.
        </p>
      )}
      {placement !== null && placement.missing > 0 && <Undelivered of={placement} />}
      {said.length > 0 && (
        <>
          <p>What the servers of the providers say of the mail:</p>
          <ul>
            {said.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </>
      )}
      {isBad && report !== null && !hasFailed && <Unexplained of={report} />}
      {!isBad && unanswered.length > 0 && <p class="hint">Not known: {unanswered.join(', ')}.</p>}
      {isBad && hasFailed && <p>Mend what failed, the likeliest cause first, and test again.</p>}
      <Findings of={findings} />
    </Section>
  );
}

/** What keeps a mail out altogether is said by whoever refused it, and to the sender alone. */
function Undelivered({ of: { providers } }: { readonly of: Placement }) {
  const silent = providers.filter(({ missing }) => missing > 0).map(({ provider }) => providerName(provider));
  return (
    <p>
      Read in the log of your mail server what {silent.join(', ')} answered: a mail that is not even in spam was refused
      or is still held back, and the answer says why.
    </p>
  );
}

/** No check explains where it lies: what Mailsonde does not see is left. */
function Unexplained({ of: report }: { readonly of: Report }) {
  const unanswered = unansweredIn(report);
  const seen =
    report.findings.length > 0
      ? 'No check failed, though some could be better.'
      : 'Every check that we can make passed.';
  return (
    <p>
      {unanswered.length > 0 ? `No check failed, but some got no answer: ${unanswered.join(', ')}.` : seen} What is left
      is reputation and content: send to people who open your mail, send few mails at first from a new domain or
      address, and test the mail without its links and images.
    </p>
  );
}

/** Of so few mailboxes a share would say more than is known. */
const MIN_SHARED = 3;

/** Where the mailboxes of a test have found the mail, by provider. */
export function PlacementGrid({ of: placement }: { readonly of: Placement }) {
  const { measured, pending, seed_error: errors, providers } = placement;
  return (
    <Section id="placement" title="Where it arrived" class="card">
      <PlacesBar of={placement} />
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

/** The shares of what was measured, for who sees them: the figures stand beside it. */
export function PlacesBar({ of: counts }: { readonly of: PlacementCounts }) {
  return (
    <span class="bar" aria-hidden="true">
      {PLACES.map(([place, , colour]) => (
        <span
          key={place}
          class={colour}
          style={{ width: `${(counts[place] / Math.max(1, counts.measured)) * 100}%` }}
        />
      ))}
    </span>
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

/** What our own copy of a mail tells, part by part. */
export function MessageReport({ of: report }: { readonly of: Report }) {
  const { reputation, transport, authentication, headers, unsubscribe, content } = report;
  const { spam_filter, bulk_sender_rules: rules } = report;
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
