import { useSignal } from '@preact/signals';
import { ActionButton, ActionForm } from '../parts/action.js';
import { announce } from '../parts/announcer.js';
import { Code } from '../parts/code.js';
import { Confirm, Opener, Reasoned } from '../parts/dialog.js';
import type { Part } from '../parts/paged-table.js';
import { CheckField, SelectField, TextField } from '../parts/field.js';
import { type Admin, adminApi, take } from '../session/api.js';
import { type Plan, PLANS, RegionField } from './accounts-screen.js';
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
  const amount = useSignal('');
  const reason = useSignal('');
  const params = { path: { id } };
  const change = async () => {
    const body = { amount: Number(amount.value), reason: reason.value.trim() };
    if (body.amount > 0) await take(adminApi.POST('/admin/v1/accounts/{id}/credits/grant', { params, body }));
    else await take(adminApi.POST('/admin/v1/accounts/{id}/credits/adjust', { params, body }));
    announce('The credits are changed.');
    amount.value = '';
    reason.value = '';
    await onChanged();
  };
  return (
    <Opener action="Grant or take credits">
      {(close) => (
        <ActionForm
          action="Change the balance"
          disabled={!Number.isInteger(Number(amount.value)) || Number(amount.value) === 0 || reason.value.trim() === ''}
          onAct={() => change().then(close)}
        >
          <TextField label="Credits" type="number" value={amount} hint="Below zero takes credits away." />
          <TextField label="Reason" value={reason} required maxLength={500} />
        </ActionForm>
      )}
    </Opener>
  );
}

function ChangePlan({ of, onChanged }: ActsProps) {
  const plan = useSignal<Plan>(of.plan === 'agent' ? 'free' : of.plan);
  const region = useSignal(of.region ?? '');
  const contact = useSignal(of.contact_email ?? '');
  const note = useSignal(of.note ?? '');
  const change = async () => {
    const body = {
      plan: plan.value,
      region: region.value.trim() || null,
      contact_email: contact.value.trim() || null,
      note: note.value.trim() || null,
    };
    await take(adminApi.PATCH('/admin/v1/accounts/{id}', { params: { path: { id: of.id } }, body }));
    await onChanged();
  };
  return (
    <Opener action="Plan, region, contact, note">
      {(close) => (
        <ActionForm action="Save" onAct={() => change().then(close)}>
          <SelectField label="Plan" value={plan} options={PLANS} />
          <RegionField value={region} />
          <TextField label="Contact (an email address)" value={contact} maxLength={320} />
          <TextField label="Note" value={note} maxLength={1000} />
        </ActionForm>
      )}
    </Opener>
  );
}

function NewKey({ of: { id }, onChanged }: ActsProps) {
  const kind = useSignal<'live' | 'test'>('live');
  const name = useSignal('');
  const made = useSignal<string | null>(null);
  const create = async () => {
    const body = { kind: kind.value, name: name.value.trim() || null };
    made.value = (
      await take(adminApi.POST('/admin/v1/accounts/{id}/keys', { params: { path: { id } }, body }))
    ).api_key;
    await onChanged();
  };
  return (
    <Opener action="New key">
      {() =>
        made.value === null ? (
          <ActionForm action="Make it" onAct={create}>
            <SelectField label="Kind" value={kind} options={['live', 'test']} />
            <TextField label="Name" value={name} maxLength={200} />
          </ActionForm>
        ) : (
          <>
            <p>It is shown now and never again.</p>
            <Code label="API key" text={made.value} />
          </>
        )
      }
    </Opener>
  );
}

function Suspension({ of, onChanged }: ActsProps) {
  const params = { path: { id: of.id } };
  if (of.status === 'suspended')
    return (
      <ActionButton
        onAct={async () => {
          await take(adminApi.POST('/admin/v1/accounts/{id}/resume', { params }));
          await onChanged();
        }}
      >
        Let it work again
      </ActionButton>
    );
  return (
    <Reasoned
      action="Suspend"
      title="Suspend"
      submit="Suspend the account"
      onAct={async (reason) => {
        await take(adminApi.POST('/admin/v1/accounts/{id}/suspend', { params, body: { reason } }));
        await onChanged();
      }}
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
  const revoke = async () => {
    const params = { path: { id }, query: { descendants: hasBranch.value } };
    await take(adminApi.DELETE('/admin/v1/keys/{id}', { params }));
    announce(hasBranch.value ? 'The key and all that it made are revoked.' : 'The key is revoked.');
    await onRevoked();
  };
  return (
    <Confirm action="Revoke" word={lastFour} isSmall={isSmall} onAct={revoke}>
      <p>Every process refuses the key within a second. It cannot be brought back; make another in its place.</p>
      {!isAgent && <CheckField label="Revoke with all keys it made" hint={ALL_IT_MADE} value={hasBranch} />}
    </Confirm>
  );
}
