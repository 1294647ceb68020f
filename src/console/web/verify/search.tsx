import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Opener, Question } from '../parts/dialog.js';
import { ActionButton } from '../parts/form.js';
import { announce } from '../parts/announcer.js';
import { count, counted, Facts, percent } from '../parts/values.js';
import { type Account, api } from '../session/api.js';
import { session } from '../session/session.js';
import { Table } from '../parts/listing.js';

export type Search = Account['schemas']['PeopleBatchReply'];

export const nameOf = ({ id, name }: Pick<Search, 'id' | 'name'>): string => name ?? `Search ${id}`;

/** Whether something will change without anybody doing anything. */
export const isRunning = ({ status }: Pick<Search, 'status'>): boolean =>
  status === 'queued' || status === 'processing';

export async function deleteSearch(id: number): Promise<void> {
  await api.delete('/api/v1/finder/batch/{id}', { path: { id } });
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
    await api.post('/api/v1/finder/batch/{id}/start', { ...params, body: { max_credits: quote.max_credits } });
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
      <p class="hint">If you do not start it, the search is deleted after 24 hours. You pay nothing.</p>
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
  const search = { path: { id } };
  // The same request deletes a search that has ended, which may be newer than what is on the screen.
  const now = await api.get('/api/v1/finder/batch/{id}', search);
  if (isRunning(now)) await api.delete('/api/v1/finder/batch/{id}', search);
  announce('The search is cancelled.');
}

/** What can be done about a search where its row stands. */
export function SearchActs({ of, onChange, onDelete }: SearchActsProps) {
  const { id, quote } = of;
  const name = nameOf(of);
  if (isRunning(of))
    return (
      <div class="actions tight">
        <Opener key="cancel" action="Cancel" label={`Cancel ${name}`} title={`Cancel ${name}?`} class="small">
          {(close) => (
            <Question
              action="Cancel, and keep what is done"
              keep="Let it go on"
              onAct={() => cancelSearch(id)}
              onDone={after(close, onChange)}
              onClose={close}
            >
              <p>
                Whoever was found by then stays found and charged; nobody else is searched for, and what was reserved
                for them is given back.
              </p>
            </Question>
          )}
        </Opener>
      </div>
    );
  return (
    <div class="actions tight">
      {quote !== null && (
        <Opener key="start" action="Start" label={`Start ${name}`} title={`Start ${name}?`} class="small">
          {(close) => <SearchQuote id={id} quote={quote} onStart={after(close, onChange)} />}
        </Opener>
      )}
      <Opener key="delete" action="Delete" label={`Delete ${name}`} title={`Delete ${name}?`} class="small danger">
        {(close) => (
          <Question
            action="Delete for ever"
            onAct={() => deleteSearch(id)}
            onDone={after(close, onDelete)}
            onClose={close}
          >
            <p>
              {counted(of.total_people, 'person', 'people')} and what was found of them are deleted for ever. What was
              charged stays in the ledger, without names.
            </p>
          </Question>
        )}
      </Opener>
    </div>
  );
}

const after = (close: () => void, then: () => void) => () => {
  close();
  then();
};

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
            columns={{
              Candidate: ({ email }) => <span class="mono">{email}</span>,
              Pattern: ({ pattern }) => <code>{pattern}</code>,
              Verdict: ({ verdict }) => <span class={`badge ${verdict}`}>{verdict}</span>,
              'The server said': (one) => [one.reply_code, one.text].filter(Boolean).join(' '),
            }}
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
