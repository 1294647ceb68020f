import type { ComponentChildren } from 'preact';
import type { Account } from '../session/api.js';
import { Facts, StateBadge } from '../parts/values.js';
import { Code, CopyButton } from '../parts/code.js';

/** What is wrong, with whatever is looked at. */
export interface Finding {
  readonly code: string;
  readonly area: string;
  readonly severity: 'critical' | 'warning' | 'info';
  readonly subject?: string;
  readonly explanation: string;
  readonly evidence: Readonly<Record<string, unknown>>;
  /** The record to publish, or in a sentence what to do. */
  readonly fix: Fix | string | null;
  /** The record to publish, beside the sentence. */
  readonly record?: Fix | null;
  readonly rfc: string | null;
}

type Fix = NonNullable<Account['schemas']['DomainFindingReply']['fix']>;

export const AREAS = {
  mx: 'Mail hosts',
  reverse: 'Reverse names',
  spf: 'SPF',
  dkim: 'DKIM',
  dmarc: 'DMARC',
  mta_sts: 'MTA-STS',
  tls_rpt: 'TLS reports',
  dane: 'DANE',
  dnssec: 'DNSSEC',
} as const;

const NAMES: Readonly<Record<string, string>> = {
  ...AREAS,
  blacklists: 'Block lists',
  starttls: 'STARTTLS',
  bimi: 'BIMI',
};

/** Such as `Spam filter`, where it has no name of its own. */
export const areaName = (area: string): string =>
  NAMES[area] ?? area.charAt(0).toUpperCase() + area.slice(1).replaceAll('_', ' ');

interface FindingsProps<Shown extends Finding> {
  readonly of: readonly Shown[];
  /** What stands below a finding, such as since when it is known. */
  readonly about?: (finding: Shown) => ComponentChildren;
}

/** What is wrong, as it comes: the worst first. What harms nobody is folded away below what does. */
export function Findings<Shown extends Finding>({ of: findings, about }: FindingsProps<Shown>) {
  const harmless = findings.filter(({ severity }) => severity === 'info');
  const harmful = findings.filter(({ severity }) => severity !== 'info');
  const cards = (some: readonly Shown[]) =>
    some.map((finding) => (
      <FindingCard key={`${finding.code} ${finding.subject} ${finding.explanation}`} of={finding}>
        {about?.(finding)}
      </FindingCard>
    ));
  return (
    <>
      {cards(harmful)}
      {harmless.length > 0 && (
        <details open={harmful.length === 0}>
          <summary>{harmless.length} worth knowing</summary>
          {cards(harmless)}
        </details>
      )}
    </>
  );
}

/** The same in a line each, where only what they are is told. @param named the id of their heading */
export function FindingLines({ of: findings, named }: { readonly of: readonly Finding[]; readonly named?: string }) {
  if (findings.length === 0) return null;
  return (
    <ul class="plain" aria-labelledby={named}>
      {findings.map(({ code, subject, severity, explanation }) => (
        <li key={`${code} ${subject} ${explanation}`}>
          <StateBadge state={severity} /> <span class="wrap">{explanation}</span>
        </li>
      ))}
    </ul>
  );
}

/** What to do where no record can be proposed, because only its owner knows what may go. */
const UNPROPOSED: Readonly<Record<string, string>> = {
  spf_too_many_lookups:
    'Take out of the record what you send with no more, the terms that need the most look-ups first. None is proposed here: any of them may be one that you send with.',
};

function FindingCard({ of, children }: { readonly of: Finding; readonly children?: ComponentChildren }) {
  const { area, severity, subject, explanation, evidence, fix, record = null, rfc, code } = of;
  const seen = Object.entries(evidence).filter(([name]) => name !== 'tree');
  return (
    <article class={`card finding ${severity}`} aria-label={explanation}>
      <p class="verdict">
        <StateBadge state={severity} />
        <strong>{areaName(area)}</strong>
        {subject !== undefined && <span class="mono wrap">{subject}</span>}
      </p>
      <h3 class="wrap">{explanation}</h3>
      {typeof fix === 'string' ? <p>{fix}</p> : fix !== null && <FixToPublish fix={fix} />}
      {fix === null && UNPROPOSED[code] !== undefined && <p>{UNPROPOSED[code]}</p>}
      {record !== null && <FixToPublish fix={record} />}
      {typeof evidence['advice'] === 'string' && <p>{evidence['advice']}</p>}
      {isPage(evidence['delist_url']) && (
        <p>
          <Outside to={evidence['delist_url']}>Ask for the removal</Outside>
        </p>
      )}
      {children}
      <details>
        <summary>What it was seen by</summary>
        <Facts
          of={{
            ...Object.fromEntries(
              seen.map(([name, value]) => [name.replaceAll('_', ' '), <Evidence key={name} value={value} />] as const),
            ),
            Finding: <code>{code}</code>,
            Standard: rfc,
          }}
        />
      </details>
    </article>
  );
}

const isPage = (value: unknown): value is string => typeof value === 'string' && value.startsWith('https://');

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function Evidence({ value }: { readonly value: unknown }) {
  return <span class="mono lines">{Array.isArray(value) ? value.map(textOf).join('\n') : textOf(value)}</span>;
}

const ACTS = { add: 'Publish', replace: 'Publish instead', remove: 'Take away' } as const;
const CONFIDENCE: Readonly<Record<string, string>> = {
  certain: 'It follows from what is published.',
  needs_you: 'Look at it first: it has a value in <…> that only you know, or a choice that only you may make.',
};

/** What to do about a record, and why. */
function FixToPublish({ fix: { action, kind, type, name, value, current, why, confidence } }: { readonly fix: Fix }) {
  const what = kind === 'file' ? 'file' : `${type} record`;
  return (
    <div class="fix">
      <p class="verdict">
        <strong>
          {ACTS[action]}: {what}
        </strong>
        <StateBadge state={confidence} />
      </p>
      <p>
        {why.charAt(0).toUpperCase() + why.slice(1)}. <span class="hint">{CONFIDENCE[confidence]}</span>
      </p>
      <RecordToPublish what={what} called={kind === 'file' ? 'At' : 'Name'} name={name} value={value} />
      {current !== null && (
        <p class="hint">
          {value === null ? 'It is' : 'It takes the place of'} <span class="mono lines">{current}</span>
        </p>
      )}
    </div>
  );
}

interface RecordProps {
  /** Such as `TXT record`. */
  readonly what: string;
  /** What the name is to it: a file has an address. */
  readonly called?: 'Name' | 'At';
  readonly name: string;
  /** Null: it is to go. */
  readonly value: string | null;
}

/** A record as a person types it where their names are kept, each part to copy. */
export function RecordToPublish({ what, called = 'Name', name, value }: RecordProps) {
  return (
    <>
      <div class="name-line">
        <span class="hint">{called}</span>
        <pre class="mono wrap">{name}</pre>
        <CopyButton text={name} of={`the name ${name}`} />
      </div>
      {value !== null && <Code label={`The ${what} for ${name}`} text={value} />}
    </>
  );
}

/** A page of somebody else's, which learns nothing of where the reader came from. */
export function Outside({ to, children }: { readonly to: string; readonly children: string }) {
  return (
    <a class="button small" href={to} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
