import { useSignal } from '@preact/signals';
import { ActionForm } from '../../parts/action.js';
import { Facts } from '../../parts/facts.js';
import { TextField } from '../../parts/field.js';
import { count, counted, percent } from '../../parts/figures.js';
import { Table } from '../../parts/paged-table.js';
import { type Account, api, take } from '../../shell/api.js';
import { PeopleSection } from './people-section.js';

type Finding = Account['schemas']['FindingReply'];

/** The address of a person at a company. */
export function FinderScreen() {
  const name = useSignal('');
  const domain = useSignal('');
  const finding = useSignal<Finding | null>(null);
  const find = async () => {
    finding.value = null;
    const body = { full_name: name.value.trim(), domain: domain.value.trim() };
    finding.value = await take(api.POST('/api/v1/finder/email', { body }));
  };
  return (
    <>
      <h1>Finder</h1>
      <p>A name and a company's domain in, the person's address out. It costs a credit only when one is found.</p>
      <div class="card">
        <ActionForm action="Find" onAct={find} disabled={name.value.trim() === '' || domain.value.trim() === ''}>
          <div class="row">
            <TextField label="Full name" value={name} maxLength={200} placeholder="Dr. Jürgen Müller" />
            <TextField label="Domain or website" value={domain} maxLength={300} placeholder="example.com" />
          </div>
        </ActionForm>
      </div>
      <div role="status">{finding.value !== null && <FindingCard of={finding.value} />}</div>
      <PeopleSection />
    </>
  );
}

function FindingCard({ of }: { readonly of: Finding }) {
  return (
    <article class="card" aria-label="What was found">
      <h2 class="verdict">
        <span class="long">{of.email ?? 'No address was found'}</span>
        <span class={`badge ${of.verdict}`}>{of.verdict}</span>
      </h2>
      <Facts
        of={[
          ['Reason', <code key="reason">{of.reason}</code>],
          ['Confidence', percent(of.confidence)],
          of.pattern === null ? null : ['Pattern', <code key="pattern">{of.pattern}</code>],
          ['Mail host', of.mx_host ?? 'none'],
          ['Tried', counted(of.candidates_tried, 'candidate')],
          ['Cost', of.credits_charged === 0 ? 'free' : counted(of.credits_charged, 'credit')],
          ['Took', `${count(of.latency_ms)} ms`],
        ]}
      />
      {of.evidence.tried.length > 0 && (
        <>
          <h3>What was asked</h3>
          <Table
            label="Candidates that were asked about"
            rows={of.evidence.tried}
            keyOf={({ email }) => email}
            columns={[
              { name: 'Candidate', cell: ({ email }) => <span class="mono">{email}</span> },
              { name: 'Pattern', cell: ({ pattern }) => <code>{pattern}</code> },
              { name: 'Verdict', cell: ({ verdict }) => <span class={`badge ${verdict}`}>{verdict}</span> },
              { name: 'The server said', cell: (one) => [one.reply_code, one.text].filter(Boolean).join(' ') },
            ]}
          />
        </>
      )}
      {of.alternatives.length > 0 && (
        <p>
          Other candidates:{' '}
          {of.alternatives.map(({ email, confidence }) => `${email} (${percent(confidence)})`).join(', ')}
        </p>
      )}
    </article>
  );
}
