import { useSignal } from '@preact/signals';
import { CeilingsUsed, isWorking, type Key, makerOf, nameOf } from './key.js';
import { Listing } from '../parts/listing.js';
import { Countdown, Time } from '../parts/values.js';
import { Opener } from '../parts/dialog.js';
import { api } from '../session/api.js';
import { useKeyNames } from '../session/key-names.js';
import type { ComponentChildren } from 'preact';
import {
  ChangeKey,
  CreateKey,
  type Issued,
  IssuedKey,
  type KeyDialogProps,
  RevokeKey,
  RotateKey,
} from './key-dialogs.js';

/** The keys of the account, and what can be done with each. */
export function KeysScreen() {
  const issued = useSignal<Issued | null>(null);
  /** Counts changes, so that the table is asked for anew. */
  const changes = useSignal(0);
  const names = useKeyNames();
  const done = (made: Issued | null) => {
    issued.value = made;
    changes.value += 1;
  };
  return (
    <>
      <div class="title-line">
        <h1>Keys</h1>
        <Opener action="New key" class="primary">
          {(close) => <CreateKey onDone={done} onClose={close} />}
        </Opener>
      </div>
      {issued.value !== null && <IssuedKey issued={issued.value} onClose={() => (issued.value = null)} />}
      <Listing
        label="Keys"
        on={[changes.value]}
        load={(page) => api.get('/api/v1/keys', page({ limit: 50 }))}
        rows="keys"
        empty="No keys"
        columns={{
          Name: (key) => (
            <>
              {key.name ?? <span class="hint">without a name</span>}
              <br />
              <span class="hint mono">
                {key.kind} …{key.last_four}
              </span>
            </>
          ),
          State: (key) => <State of={key} />,
          May: ({ permissions }) => permissions?.join(', ') ?? 'everything',
          From: ({ networks }) => <span class="mono">{networks?.join(', ') ?? 'everywhere'}</span>,
          Credits: ({ ceilings }) => <CeilingsUsed of={ceilings} />,
          'Made by': (key) => makerOf(key, names),
          'Last use': (key) => <Time at={key.last_used_at} />,
          'Change it': (key) => isWorking(key) && <KeyActs of={key} onDone={done} />,
        }}
      />
    </>
  );
}

function KeyActs({ of: key, onDone }: Omit<KeyDialogProps, 'onClose'>) {
  const act = (action: string, title: string, Form: (props: KeyDialogProps) => ComponentChildren) => (
    <Opener action={action} label={`${action} ${nameOf(key)}`} title={title} class="small">
      {(close) => <Form of={key} onDone={onDone} onClose={close} />}
    </Opener>
  );
  return (
    <div class="actions tight">
      {act('Change', `Change ${nameOf(key)}`, ChangeKey)}
      {act('Rotate', `Rotate ${nameOf(key)}`, RotateKey)}
      {act('Revoke', `Revoke ${nameOf(key)}?`, RevokeKey)}
    </div>
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
