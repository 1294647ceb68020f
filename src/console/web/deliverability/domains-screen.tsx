import { useSignal } from '@preact/signals';
import { useLocation, useRoute } from 'preact-iso';
import { ActionForm, TextField } from '../parts/form.js';
import { announce } from '../parts/announcer.js';
import { count, counted, Facts, StateBadge, Time } from '../parts/values.js';
import { Listing, Section, Table, Unloaded, useLoad } from '../parts/listing.js';
import { wordsIn } from '../parts/pasted-words.js';
import { type Account, api } from '../session/api.js';
import { TestWords } from '../session/test-words.js';
import { areaName, AREAS, Findings } from './findings.js';

/** Domains of the simulated world, each with another fault. */
const EXAMPLES = ['spf-too-many', 'spf-broken', 'no-dmarc', 'weak-dkim', 'sts-broken', 'clean'] as const;

/** One domain: what is wrong with what it publishes, and what to publish instead. */
export function DomainsScreen() {
  const { query } = useLocation();
  const domain = useSignal(query['domain'] ?? '');
  const selectors = useSignal('');
  const senders = useSignal('');
  const shown = useSignal<DomainCheck | null>(null);
  const check = async () => {
    const body = {
      domain: domain.value.trim(),
      dkim_selectors: wordsIn(selectors.value),
      sending_addresses: wordsIn(senders.value),
    };
    shown.value = await api.post('/api/v1/domains/check', { body });
    announce(`${shown.value.domain}: ${shown.value.state}`);
  };
  return (
    <>
      <h1>Domain check</h1>
      <p>
        Reads what a domain publishes about its mail, as receivers do, and shows the record to publish where something
        is wrong. A check costs one credit.
      </p>
      <div class="card">
        <ActionForm action="Check" onAct={check}>
          <TextField label="Domain" name="domain" required maxLength={1000} value={domain} placeholder="example.com" />
          <TestWords words={EXAMPLES} onPick={(label) => (domain.value = `${label}.example.com`)} />
          <details>
            <summary>DKIM selectors and sending addresses</summary>
            <div class="row">
              <TextField
                label="DKIM selectors"
                value={selectors}
                placeholder="s1, google"
                hint="Without one, those that mail services use are looked for."
              />
              <TextField
                label="Sending addresses"
                value={senders}
                placeholder="198.51.100.25"
                hint="IP addresses that send its mail: may they, and do their names lead back?"
              />
            </div>
          </details>
        </ActionForm>
      </div>
      {shown.value !== null && <DomainResult of={shown.value} />}
      <History on={shown.value?.id ?? 0} />
    </>
  );
}

function History({ on }: { readonly on: number }) {
  return (
    <Section id="history" title="Checks of the last 30 days">
      <Listing
        label="Checks of the last 30 days"
        on={[on]}
        load={(page) => api.get('/api/v1/domains/checks', page())}
        rows="checks"
        empty="No domain was checked yet"
        emptyHint="Begin with the domain that your mail is from: its check stays here for 30 days."
        columns={{
          Domain: ({ id, domain }) => (
            <a class="mono wrap" href={`/console/domains/${id}`}>
              {domain}
            </a>
          ),
          State: ({ state }) => <StateBadge state={state} />,
          Critical: ({ counts }) => counts.critical,
          Warnings: ({ counts }) => counts.warning,
          Checked: ({ checked_at: at }) => <Time at={at} />,
        }}
      />
    </Section>
  );
}

/** A check of a domain as it was answered. */
export function DomainCheckScreen() {
  const id = Number(useRoute().params['id']);
  const loaded = useLoad((signal) => api.get('/api/v1/domains/checks/{id}', { path: { id }, signal }), [id]);
  const { data, failure } = loaded;
  if (data.value === null || failure.value !== null)
    return <Unloaded of={loaded} title="Domain check" to="/console/domains" toTitle="All checks of domains" />;
  return (
    <>
      <div class="title-line">
        <h1>Domain check</h1>
        <a class="button" href={`/console/domains?domain=${encodeURIComponent(data.value.domain)}`}>
          Check it again
        </a>
      </div>
      <DomainResult of={data.value} />
    </>
  );
}

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
  const { domain, state, counts, findings, records, unanswered, unanswered_why: why, credits_charged: charged } = of;
  return (
    <>
      <section class="card" aria-label="Result">
        <h2 class="verdict">
          <span class="mono wrap">{domain}</span>
          <StateBadge state={state} />
        </h2>
        <p>
          {state === 'unknown' && why !== null ? why : STATES[state]}{' '}
          {findings.length > 0 &&
            `${count(counts.critical)} critical, ${counted(counts.warning, 'warning')}, ${count(counts.info)} worth knowing.`}
        </p>
        {records.length > 0 && <Areas of={of} />}
        {state !== 'unknown' && why !== null && <p class="hint">{why}</p>}
        {unanswered.length > 0 && (
          <Facts
            of={{
              'Without an answer': <span class="mono lines">{unanswered.join('\n')}</span>,
            }}
          />
        )}
        <p class="hint">
          Checked <Time at={of.checked_at} />, {charged === 0 ? 'free' : counted(charged, 'credit')}.
        </p>
        <a class="button small" href={`/console/monitors?domain=${encodeURIComponent(domain)}`}>
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
    <Section id="records" title="What was found">
      <Table
        label="What was found"
        rows={records}
        keyOf={({ name, type, value }) => `${name} ${type} ${value}`}
        columns={{
          For: ({ area }) => <span class="nowrap">{areaName(area)}</span>,
          Record: ({ name, type, value }) => (
            <>
              <span class="hint mono wrap">
                {name} {type}
              </span>
              <span class="mono long">{value}</span>
            </>
          ),
        }}
      />
    </Section>
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

/** Who in the record needs how many of the ten questions. */
export function SpfTree({ terms, lookups }: { readonly terms: DomainCheck['spf_terms']; readonly lookups: number }) {
  if (terms.length === 0) return null;
  return (
    <Section id="spf-tree" title="What SPF asks for">
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
        columns={{
          Term: ({ depth, term }) => (
            <span class="mono long" style={{ paddingInlineStart: `${depth * 1.25}rem` }}>
              {depth > 0 && <span class="visually-hidden">{`level ${depth + 1}: `}</span>}
              {term}
            </span>
          ),
          'Look-ups': (one) => one.lookups,
          Note: ({ problem, void: isVoid }) =>
            problem === null ? isVoid && 'there is no such name' : <span class="invalid">{NOTES[problem]}</span>,
        }}
      />
    </Section>
  );
}
