import { useSignal } from '@preact/signals';
import { Confirm, FormDialog, Opener, Reasoned, ShownOnce } from '../parts/dialog.js';
import { ActionButton, CheckField, SelectField, TextField, useFields, valuesIn } from '../parts/form.js';
import type { Part } from '../parts/listing.js';
import { type Admin, adminApi } from '../session/api.js';
import { PlanFields } from './accounts-screen.js';
import { ALL_IT_MADE } from '../account/key-dialogs.js';

type ActsProps = Part<Admin['schemas']['AccountDetailsReply']>;

/** What an administrator changes of an account; each act is on record with its reason. */
export function AccountActs({ of, onChanged }: ActsProps) {
  if (of.agent !== null) return <Suspension of={of} onChanged={onChanged} />;
  return (
    <div class="actions">
      <ChangeCredits of={of} onChanged={onChanged} />
      <ChangePlan of={of} onChanged={onChanged} />
      <NewKey of={of} onChanged={onChanged} />
      <Suspension of={of} onChanged={onChanged} />
    </div>
  );
}

function ChangeCredits({ of: { id }, onChanged }: ActsProps) {
  const fields = useFields({ amount: '', reason: '' });
  const body = { amount: Number(fields.amount.value), reason: fields.reason.value.trim() };
  const change = async () => {
    if (body.amount > 0) await adminApi.post('/admin/v1/accounts/{id}/credits/grant', { path: { id }, body });
    else await adminApi.post('/admin/v1/accounts/{id}/credits/adjust', { path: { id }, body });
    fields.amount.value = fields.reason.value = '';
  };
  return (
    <FormDialog
      action="Grant or take credits"
      submit="Change the balance"
      isIncomplete={!Number.isInteger(body.amount) || body.amount === 0 || body.reason === ''}
      onAct={change}
      said="The credits are changed."
      onDone={onChanged}
    >
      <TextField label="Credits" type="number" value={fields.amount} hint="Below zero takes credits away." />
      <TextField label="Reason" value={fields.reason} required maxLength={500} />
    </FormDialog>
  );
}

function ChangePlan({ of, onChanged }: ActsProps) {
  const fields = useFields({
    plan: of.plan === 'agent' ? 'free' : of.plan,
    region: of.region ?? '',
    contact_email: of.contact_email ?? '',
    note: of.note ?? '',
  });
  return (
    <FormDialog
      action="Plan, region, contact, note"
      submit="Save"
      onAct={() => adminApi.patch('/admin/v1/accounts/{id}', { path: { id: of.id }, body: valuesIn(fields) })}
      onDone={onChanged}
    >
      <PlanFields of={fields} />
      <TextField label="Note" value={fields.note} maxLength={1000} />
    </FormDialog>
  );
}

function NewKey({ of: { id }, onChanged }: ActsProps) {
  const fields = useFields<{ kind: 'live' | 'test'; name: string }>({ kind: 'live', name: '' });
  const made = useSignal<string | null>(null);
  const create = async () =>
    (await adminApi.post('/admin/v1/accounts/{id}/keys', { path: { id }, body: valuesIn(fields) })).api_key;
  return (
    <Opener action="New key">
      {() => (
        <ShownOnce label="API key" action="Make it" make={create} made={made} onDone={onChanged}>
          <SelectField label="Kind" value={fields.kind} options={['live', 'test']} />
          <TextField label="Name" value={fields.name} maxLength={200} />
        </ShownOnce>
      )}
    </Opener>
  );
}

function Suspension({ of: { id, status }, onChanged }: ActsProps) {
  if (status === 'suspended')
    return (
      <ActionButton onAct={() => adminApi.post('/admin/v1/accounts/{id}/resume', { path: { id } })} onDone={onChanged}>
        Let it work again
      </ActionButton>
    );
  return (
    <Reasoned
      action="Suspend"
      submit="Suspend the account"
      onAct={(reason) => adminApi.post('/admin/v1/accounts/{id}/suspend', { path: { id }, body: { reason } })}
      onDone={onChanged}
    >
      <p>Every key of the account is refused within a second, until it is let work again.</p>
    </Reasoned>
  );
}

interface RevokeProps {
  readonly id: string;
  readonly lastFour: string;
  readonly onRevoked: () => Promise<void>;
  readonly isSmall?: boolean;
  /** An agent makes no keys. */
  readonly isAgent?: boolean;
}

/** Nothing brings a revoked key back, so its last four signs are typed first. */
export function RevokeAnyKey({ id, lastFour, onRevoked, isSmall = false, isAgent = false }: RevokeProps) {
  const hasBranch = useSignal(false);
  return (
    <Confirm
      action="Revoke"
      word={lastFour}
      isSmall={isSmall}
      onAct={() => adminApi.delete('/admin/v1/keys/{id}', { path: { id }, query: { descendants: hasBranch.value } })}
      said={hasBranch.value ? 'The key and all that it made are revoked.' : 'The key is revoked.'}
      onDone={onRevoked}
    >
      <p>Every process refuses the key within a second. It cannot be brought back; make another in its place.</p>
      {!isAgent && <CheckField label="Revoke with all keys it made" hint={ALL_IT_MADE} value={hasBranch} />}
    </Confirm>
  );
}
