import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { Opener } from '../parts/dialog.js';
import { ActionForm, type Fields, SelectField, TextField, useFields, valuesIn } from '../parts/form.js';
import { Listing } from '../parts/listing.js';
import { Badge, Time } from '../parts/values.js';
import { adminApi } from '../session/api.js';

type Plan = 'free' | 'pro' | 'scale';
const PLANS: readonly Plan[] = ['free', 'pro', 'scale'];

/** All accounts, newest first. */
export function AccountsScreen() {
  const plan = useSignal<'' | Plan>('');
  return (
    <>
      <div class="title-line">
        <h1>Accounts</h1>
        <Opener action="New account" class="primary">
          {() => <NewAccount />}
        </Opener>
      </div>
      <SelectField label="Plan" value={plan} options={[['', 'all'], ...PLANS]} />
      <Listing
        label="Accounts"
        on={[plan.value]}
        load={(page) => adminApi.get('/admin/v1/accounts', page({ plan: plan.value || undefined }))}
        rows="accounts"
        empty="No account"
        columns={{
          Name: (one) => <a href={`/console/accounts/${one.id}`}>{one.name ?? one.id}</a>,
          Plan: (one) => one.plan,
          State: ({ status }) => <Badge isGood={status === 'active'}>{status}</Badge>,
          Contact: (one) => one.contact_email ?? '',
          Made: (one) => <Time at={one.created_at} />,
        }}
      />
    </>
  );
}

/** Whose something is. */
export function AccountLink({ id }: { readonly id: string }) {
  return <a href={`/console/accounts/${id}`}>{id.slice(0, 8)}</a>;
}

interface PlanFieldsProps {
  readonly of: Fields<{ plan: Plan; region: string; contact_email: string }>;
}

/** The region is a text: the API tells which there are where it is none of them. */
export function PlanFields({ of: { plan, region, contact_email: contact } }: PlanFieldsProps) {
  const hint = 'Only workers of it work on the batches; empty: any worker does.';
  return (
    <>
      <SelectField label="Plan" value={plan} options={PLANS} />
      <TextField label="Region" value={region} maxLength={40} hint={hint} />
      <TextField label="Contact (an email address)" value={contact} maxLength={320} />
    </>
  );
}

type Typed = Readonly<Record<'name' | 'region' | 'contact_email', string>> & { readonly plan: Plan };

function NewAccount() {
  const { route } = useLocation();
  const fields = useFields<Typed>({ name: '', plan: 'free', region: '', contact_email: '' });
  const name = fields.name.value.trim();
  const create = async () => {
    const { id } = await adminApi.post('/admin/v1/accounts', { body: { ...valuesIn(fields), name } });
    route(`/console/accounts/${id}`);
  };
  return (
    <ActionForm action="Make it" onAct={create} disabled={name === ''}>
      <TextField label="Name" value={fields.name} required maxLength={200} />
      <PlanFields of={fields} />
    </ActionForm>
  );
}
