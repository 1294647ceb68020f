import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { ActionButton } from '../parts/action.js';
import { announce } from '../parts/announcer.js';
import { Dialog, Question } from '../parts/dialog.js';
import { count, counted, percent } from '../parts/figures.js';
import { type Account, api, take } from '../session/api.js';
import { session } from '../session/session.js';
import { Facts } from '../parts/facts.js';
import { Table } from '../parts/paged-table.js';

export type Search = Account['schemas']['PeopleBatchReply'];

export const nameOf = ({ id, name }: Pick<Search, 'id' | 'name'>): string => name ?? `Search ${id}`;

/** Whether something will change without anybody doing anything. */
export const isRunning = ({ status }: Pick<Search, 'status'>): boolean =>
  status === 'queued' || status === 'processing';

export async function deleteSearch(id: number): Promise<void> {
  await take(api.DELETE('/api/v1/finder/batch/{id}', { params: { path: { id } } }));
  announce('The search is deleted.');
}

interface SearchQuoteProps {
  readonly id: number;
  readonly quote: Account['schemas']['PeopleQuoteReply'];
  readonly onStart: () => void;
  /** What else may be done than to start it. */
  readonly children?: ComponentChildren;
}

/** The price before the work. */
export function SearchQuote({ id, quote, onStart, children }: SearchQuoteProps) {
  // One for every try, so that a second click pays nothing twice.
  const idempotencyKey = useRef(crypto.randomUUID());
  const start = async () => {
    const params = { path: { id }, header: { 'Idempotency-Key': idempotencyKey.current } };
    await take(api.POST('/api/v1/finder/batch/{id}/start', { params, body: { max_credits: quote.max_credits } }));
    announce('The search is started.');
    onStart();
  };
  return (
    <>
      <p>
        {counted(quote.unique_people, 'person', 'people')} ({counted(quote.duplicates, 'duplicate')} free): at most{' '}
        <strong>
          {counted(quote.max_credits, 'credit')}
          {session.value?.simulated === true && ' with a live key, nothing in test mode'}
        </strong>
        , and only for those who are found. Then {count(quote.balance_after)} would be left.
      </p>
      <div class="actions">
        <ActionButton class="primary" onAct={start}>
          Start
        </ActionButton>
        {children}
      </div>
      <p class="hint">Not started, it is deleted after 24 hours, for nothing.</p>
    </>
  );
}

interface SearchActsProps {
  readonly of: Search;
  /** It was started or cancelled. */
  readonly onChange: () => void;
  readonly onDelete: () => void;
}

async function cancelSearch(id: number): Promise<void> {
  const params = { params: { path: { id } } };
  // The same request deletes a search that has ended, which may be newer than what is on the screen.
  const now = await take(api.GET('/api/v1/finder/batch/{id}', params));
  if (isRunning(now)) await take(api.DELETE('/api/v1/finder/batch/{id}', params));
  announce('The search is cancelled.');
}

/** What can be done about a search where its row stands. */
export function SearchActs({ of, onChange, onDelete }: SearchActsProps) {
  const asked = useSignal<'start' | 'cancel' | 'delete' | null>(null);
  const close = () => (asked.value = null);
  const changed = () => {
    close();
    onChange();
  };
  const cancel = async () => {
    await cancelSearch(of.id);
    changed();
  };
  if (isRunning(of))
    return (
      <div class="actions tight">
        <button
          type="button"
          class="small"
          aria-label={`Cancel ${nameOf(of)}`}
          onClick={() => (asked.value = 'cancel')}
        >
          Cancel
        </button>
        {asked.value === 'cancel' && (
          <Question
            title={`Cancel ${nameOf(of)}?`}
            action="Cancel, and keep what is done"
            keep="Let it go on"
            onAct={cancel}
            onClose={close}
          >
            <p>
              Whoever was found by then stays found and charged; nobody else is searched for, and what was reserved for
              them is given back.
            </p>
          </Question>
        )}
      </div>
    );
  return (
    <div class="actions tight">
      {of.quote !== null && (
        <button type="button" class="small" aria-label={`Start ${nameOf(of)}`} onClick={() => (asked.value = 'start')}>
          Start
        </button>
      )}
      <button
        type="button"
        class="small danger"
        aria-label={`Delete ${nameOf(of)}`}
        onClick={() => (asked.value = 'delete')}
      >
        Delete
      </button>
      {asked.value === 'start' && of.quote !== null && (
        <Dialog title={`Start ${nameOf(of)}?`} onClose={close}>
          <SearchQuote id={of.id} quote={of.quote} onStart={changed} />
        </Dialog>
      )}
      {asked.value === 'delete' && <DeleteSearch of={of} onClose={close} onDelete={onDelete} />}
    </div>
  );
}

interface DeleteSearchProps {
  readonly of: Search;
  readonly onClose: () => void;
  readonly onDelete: () => void;
}

function DeleteSearch({ of, onClose, onDelete }: DeleteSearchProps) {
  const remove = async () => {
    await deleteSearch(of.id);
    onClose();
    onDelete();
  };
  return (
    <Question title={`Delete ${nameOf(of)}?`} action="Delete for ever" onAct={remove} onClose={onClose}>
      <p>
        {counted(of.total_people, 'person', 'people')} and what was found of them are deleted for ever. What was charged
        stays in the ledger, without names.
      </p>
    </Question>
  );
}

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
