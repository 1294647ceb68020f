import { useSignal } from '@preact/signals';
import { CeilingsUsed, isWorking, type Key, makerOf, nameOf } from './key.js';
import { Empty, PagedTable } from '../parts/paged-table.js';
import { Countdown, Time } from '../parts/time.js';
import { api, take } from '../session/api.js';
import { useKeyNames } from '../session/key-names.js';
import { ChangeKey, CreateKey, type Issued, IssuedKey, RevokeKey, RotateKey } from './key-dialogs.js';

type Question = { readonly about: Key; readonly what: 'change' | 'rotate' | 'revoke' } | { readonly what: 'create' };

/** The keys of the account, and what can be done with each. */
export function KeysScreen() {
  const question = useSignal<Question | null>(null);
  const issued = useSignal<Issued | null>(null);
  /** Counts changes, so that the table is asked for anew. */
  const changes = useSignal(0);
  const names = useKeyNames();
  const close = () => (question.value = null);
  const done = (made: Issued | null = null) => {
    question.value = null;
    issued.value = made;
    changes.value += 1;
  };
  const asked = question.value;
  return (
    <>
      <div class="title-line">
        <h1>Keys</h1>
        <button type="button" class="primary" onClick={() => (question.value = { what: 'create' })}>
          New key
        </button>
      </div>
      {issued.value !== null && <IssuedKey issued={issued.value} onClose={() => (issued.value = null)} />}
      <PagedTable
        label="Keys"
        on={[changes.value]}
        load={(cursor, signal) => take(api.GET('/api/v1/keys', { params: { query: { limit: 50, cursor } }, signal }))}
        rows={(page) => page.keys}
        keyOf={({ id }) => id}
        empty={<Empty title="No keys" />}
        columns={[
          {
            name: 'Name',
            cell: (key) => (
              <>
                {key.name ?? <span class="hint">without a name</span>}
                <br />
                <span class="hint mono">
                  {key.kind} …{key.last_four}
                </span>
              </>
            ),
          },
          { name: 'State', cell: (key) => <State of={key} /> },
          { name: 'May', cell: ({ permissions }) => permissions?.join(', ') ?? 'everything' },
          { name: 'From', cell: ({ networks }) => <span class="mono">{networks?.join(', ') ?? 'everywhere'}</span> },
          { name: 'Credits', cell: ({ ceilings }) => <CeilingsUsed of={ceilings} /> },
          { name: 'Made by', cell: (key) => makerOf(key, names) },
          { name: 'Last use', cell: (key) => <Time at={key.last_used_at} /> },
          {
            name: 'Change it',
            cell: (key) =>
              isWorking(key) && (
                <div class="actions tight">
                  <Button of={key} text="Change" onClick={() => (question.value = { about: key, what: 'change' })} />
                  <Button of={key} text="Rotate" onClick={() => (question.value = { about: key, what: 'rotate' })} />
                  <Button of={key} text="Revoke" onClick={() => (question.value = { about: key, what: 'revoke' })} />
                </div>
              ),
          },
        ]}
      />
      {asked?.what === 'create' && <CreateKey onDone={done} onClose={close} />}
      {asked?.what === 'change' && <ChangeKey of={asked.about} onDone={() => done()} onClose={close} />}
      {asked?.what === 'rotate' && <RotateKey of={asked.about} onDone={done} onClose={close} />}
      {asked?.what === 'revoke' && <RevokeKey of={asked.about} onDone={() => done()} onClose={close} />}
    </>
  );
}

interface ButtonProps {
  readonly of: Key;
  readonly text: string;
  readonly onClick: () => void;
}

function Button({ of: key, text, onClick }: ButtonProps) {
  return (
    <button type="button" class="small" aria-label={`${text} ${nameOf(key)}`} onClick={onClick}>
      {text}
    </button>
  );
}

function State({ of: { status, revoked_at: revokedAt, expires_at: expiresAt } }: { readonly of: Key }) {
  if (status === 'grace' && revokedAt !== null)
    return (
      <>
        replaced, works for <Countdown until={revokedAt} />
      </>
    );
  if (status === 'active' && expiresAt !== null)
    return (
      <>
        works until <Time at={expiresAt} />
      </>
    );
  return <>{status === 'active' ? 'works' : status}</>;
}
