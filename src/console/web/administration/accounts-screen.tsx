import { type Signal, useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { ActionForm } from '../parts/action.js';
import { Dialog } from '../parts/dialog.js';
import { SelectField, TextField } from '../parts/field.js';
import { Empty, PagedTable } from '../parts/paged-table.js';
import { Time } from '../parts/time.js';
import { adminApi, take } from '../session/api.js';
import { linkTo } from '../parts/link.js';

export type Plan = 'free' | 'pro' | 'scale';
export const PLANS: readonly Plan[] = ['free', 'pro', 'scale'];

/** All accounts, newest first. */
export function AccountsScreen() {
  const plan = useSignal<'' | Plan>('');
  const isAdding = useSignal(false);
  return (
    <>
      <div class="title-line">
        <h1>Accounts</h1>
        <button type="button" class="primary" onClick={() => (isAdding.value = true)}>
          New account
        </button>
      </div>
      <SelectField label="Plan" value={plan} options={[['', 'all'], ...PLANS]} />
      <PagedTable
        label="Accounts"
        on={[plan.value]}
        load={(cursor, signal) =>
          take(
            adminApi.GET('/admin/v1/accounts', {
              params: { query: { cursor, ...(plan.value !== '' && { plan: plan.value }) } },
              signal,
            }),
          )
        }
        rows={(page) => page.accounts}
        keyOf={({ id }) => id}
        empty={<Empty title="No account" />}
        columns={[
          { name: 'Name', cell: (one) => <a href={linkTo(`/accounts/${one.id}`)}>{one.name ?? one.id}</a> },
          { name: 'Plan', cell: (one) => one.plan },
          {
            name: 'State',
            cell: ({ status }) => <span class={`badge ${status === 'active' ? 'valid' : 'invalid'}`}>{status}</span>,
          },
          { name: 'Contact', cell: (one) => one.contact_email ?? '' },
          { name: 'Made', cell: (one) => <Time at={one.created_at} /> },
        ]}
      />
      {isAdding.value && <NewAccount onClose={() => (isAdding.value = false)} />}
    </>
  );
}

/** The region of an account, as a text: the API tells which there are where it is none of them. */
export function RegionField({ value }: { readonly value: Signal<string> }) {
  const hint = 'Only workers of it work on the batches; empty: any worker does.';
  return <TextField label="Region" value={value} maxLength={40} hint={hint} />;
}

function NewAccount({ onClose }: { readonly onClose: () => void }) {
  const { route } = useLocation();
  const name = useSignal('');
  const contact = useSignal('');
  const plan = useSignal<Plan>('free');
  const region = useSignal('');
  const create = async () => {
    const body = {
      name: name.value.trim(),
      plan: plan.value,
      region: region.value.trim() || null,
      contact_email: contact.value.trim() || null,
    };
    const { id } = await take(adminApi.POST('/admin/v1/accounts', { body }));
    route(linkTo(`/accounts/${id}`));
  };
  return (
    <Dialog title="New account" onClose={onClose}>
      <ActionForm action="Make it" onAct={create} disabled={name.value.trim() === ''}>
        <TextField label="Name" value={name} required maxLength={200} />
        <SelectField label="Plan" value={plan} options={PLANS} />
        <RegionField value={region} />
        <TextField label="Contact (an email address)" value={contact} maxLength={320} />
      </ActionForm>
    </Dialog>
  );
}
