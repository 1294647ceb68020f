import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { ActionForm } from '../../parts/action.js';
import { announce } from '../../parts/announcer.js';
import { TextField } from '../../parts/field.js';
import { count } from '../../parts/figures.js';
import { Empty, PagedTable } from '../../parts/paged-table.js';
import { wordsIn } from '../../parts/deliverability/pasted-words.js';
import { StateBadge } from '../../parts/deliverability/state-badge.js';
import { Time } from '../../parts/time.js';
import { api, take } from '../../shell/api.js';
import { linkTo } from '../../shell/routes.js';
import { session } from '../../shell/session.js';
import { type DomainCheck, DomainResult } from './domain-result.js';

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
    shown.value = await take(api.POST('/api/v1/domains/check', { body }));
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
          {session.value?.simulated === true && (
            <p class="chips">
              {EXAMPLES.map((label) => (
                <button key={label} type="button" onClick={() => (domain.value = `${label}.example.com`)}>
                  {label}
                </button>
              ))}
            </p>
          )}
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
    <section aria-labelledby="history">
      <h2 id="history">Checks of the last 30 days</h2>
      <PagedTable
        label="Checks of the last 30 days"
        on={[on]}
        load={async (cursor, signal) => {
          const page = await take(api.GET('/api/v1/domains/checks', { params: { query: { cursor } }, signal }));
          return { rows: page.checks, nextCursor: page.next_cursor };
        }}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No domain was checked yet">
            <p>Begin with the domain that your mail is from: its check stays here for 30 days.</p>
          </Empty>
        }
        columns={[
          {
            name: 'Domain',
            cell: ({ id, domain }) => (
              <a class="mono wrap" href={linkTo(`/domains/${id}`)}>
                {domain}
              </a>
            ),
          },
          { name: 'State', cell: ({ state }) => <StateBadge state={state} /> },
          { name: 'Critical', cell: ({ counts }) => count(counts.critical), isNumber: true },
          { name: 'Warnings', cell: ({ counts }) => count(counts.warning), isNumber: true },
          { name: 'Checked', cell: ({ checked_at: at }) => <Time at={at} /> },
        ]}
      />
    </section>
  );
}
