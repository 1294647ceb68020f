import { Facts } from '../parts/facts.js';
import { count, counted, percent } from '../parts/figures.js';
import { Table } from '../parts/paged-table.js';
import type { Account } from '../session/api.js';

export type Finding = Account['schemas']['FindingReply'];

interface FindingCardProps {
  readonly of: Finding;
  /** Not in a dialog, whose title says the address. */
  readonly isAlone?: boolean;
}

/** What a search came to, and what was asked on the way. */
export function FindingCard({ of, isAlone = false }: FindingCardProps) {
  const badge = <span class={`badge ${of.verdict}`}>{of.verdict}</span>;
  return (
    <article class={isAlone ? 'card' : undefined} aria-label="What was found">
      {isAlone ? (
        <h2 class="verdict">
          <span class="long">{of.email ?? 'No address was found'}</span>
          {badge}
        </h2>
      ) : (
        <p>{badge}</p>
      )}
      <Facts
        of={{
          Reason: <code>{of.reason}</code>,
          Confidence: percent(of.confidence),
          Pattern: of.pattern && <code>{of.pattern}</code>,
          'Mail host': of.mx_host ?? 'none',
          Tried: counted(of.candidates_tried, 'candidate'),
          Cost: of.credits_charged === 0 ? 'free' : counted(of.credits_charged, 'credit'),
          Took: `${count(of.latency_ms)} ms`,
        }}
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
