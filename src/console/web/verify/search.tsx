import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { ActionButton } from '../parts/action.js';
import { announce } from '../parts/announcer.js';
import { Dialog } from '../parts/dialog.js';
import { count, counted } from '../parts/figures.js';
import { type Account, api, take } from '../session/api.js';
import { session } from '../session/session.js';

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
          <Dialog title={`Cancel ${nameOf(of)}?`} onClose={close}>
            <p>
              Whoever was found by then stays found and charged; nobody else is searched for, and what was reserved for
              them is given back.
            </p>
            <div class="actions">
              <ActionButton class="danger" onAct={cancel}>
                Cancel, and keep what is done
              </ActionButton>
              <button type="button" onClick={close}>
                Let it go on
              </button>
            </div>
          </Dialog>
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
    <Dialog title={`Delete ${nameOf(of)}?`} onClose={onClose}>
      <p>
        {counted(of.total_people, 'person', 'people')} and what was found of them are deleted for ever. What was charged
        stays in the ledger, without names.
      </p>
      <div class="actions">
        <ActionButton class="danger" onAct={remove}>
          Delete for ever
        </ActionButton>
        <button type="button" onClick={onClose}>
          Keep it
        </button>
      </div>
    </Dialog>
  );
}
