import { useSignal } from '@preact/signals';
import { Confirm } from '../parts/dialog.js';
import { ActionForm, numberIn, TextField, useFields, valuesIn } from '../parts/form.js';
import { Badge, count, Countdown, counted, Facts, Time } from '../parts/values.js';
import { FailureNote } from '../parts/failure.js';
import { Listing, Section, useLoad } from '../parts/listing.js';
import { adminApi } from '../session/api.js';
import { RevokeAnyKey } from './account-acts.js';

/** Agents that registered themselves, and the credits that they share each day. */
export function AgentsScreen() {
  const fields = useFields({ address: '', text: '' });
  const asked = useSignal({});
  const changed = useSignal(0);
  const again = async () => {
    changed.value++;
  };
  return (
    <>
      <h1>Agents</h1>
      <div class="columns">
        <Pool />
        <RevokeNetwork onRevoked={again} />
      </div>
      <div class="card">
        <ActionForm
          action="Search"
          onAct={async () => {
            asked.value = Object.fromEntries(Object.entries(valuesIn(fields)).filter(([, value]) => value !== null));
          }}
        >
          <div class="row">
            <TextField label="Registered from (address or network)" value={fields.address} maxLength={100} />
            <TextField label="Name, purpose or contact" value={fields.text} maxLength={200} />
          </div>
        </ActionForm>
      </div>
      <Listing
        label="Agents"
        on={[asked.value, changed.value]}
        load={(page) => adminApi.get('/admin/v1/agents', page(asked.value))}
        rows="agents"
        keyOf={(agent) => agent.key_id}
        empty="No agent"
        columns={{
          Agent: (agent) => <a href={`/console/accounts/${agent.account_id}`}>{agent.name ?? `…${agent.last_four}`}</a>,
          Purpose: ({ purpose }) => purpose ?? '',
          From: (agent) => <code>{agent.client_address ?? 'forgotten'}</code>,
          State: ({ status }) => <Badge isGood={status === 'active'}>{status}</Badge>,
          Registered: (agent) => <Time at={agent.registered_at} />,
          'Last used': (agent) => <Time at={agent.last_used_at} />,
          '': (agent) =>
            agent.status === 'revoked' ? null : (
              <RevokeAnyKey id={agent.key_id} lastFour={agent.last_four} onRevoked={again} isSmall isAgent />
            ),
        }}
      />
    </>
  );
}

function Pool() {
  const { data, failure, reload } = useLoad((signal) => adminApi.get('/admin/v1/pool', { signal }));
  const capacity = useSignal('');
  const pool = data.value;
  const change = () => adminApi.patch('/admin/v1/pool', { body: { capacity: numberIn(capacity) } });
  return (
    <Section id="pool" title="Today's pool" class="card">
      <FailureNote failure={failure.value} />
      {pool !== null && (
        <>
          <progress max={pool.capacity} value={pool.used} aria-label="Used of today's pool" />
          <Facts
            of={{
              Used: `${count(pool.used)} of ${count(pool.capacity)}`,
              Left: count(pool.remaining),
              'Begins anew in': <Countdown until={pool.resets_at} />,
            }}
          />
          <ActionForm action="Change" class="small" onAct={change} onDone={reload}>
            <TextField
              label="Credits a day for all agents"
              type="number"
              min={0}
              value={capacity}
              placeholder={String(pool.capacity)}
              hint={`Empty: as configured, ${count(pool.configured_capacity)}.`}
            />
          </ActionForm>
        </>
      )}
    </Section>
  );
}

function RevokeNetwork({ onRevoked }: { readonly onRevoked: () => Promise<void> }) {
  const address = useSignal('');
  const outcome = useSignal('');
  const network = address.value.trim();
  const revoke = async () => {
    const { revoked } = await adminApi.post('/admin/v1/agents/revoke', { body: { address: network } });
    outcome.value =
      revoked === 0
        ? `None: no agent that registered from ${network} has a key that still works.`
        : `${counted(revoked, 'key')} of ${network} revoked.`;
    address.value = '';
  };
  return (
    <Section id="revoke-network" title="Revoke by network" class="card">
      <TextField
        label="Address or network"
        value={address}
        placeholder="192.0.2.0/24"
        maxLength={100}
        hint="Every agent that registered from there is refused within a second."
      />
      <Confirm action="Revoke all of it" onAct={revoke} onDone={onRevoked} word={network} disabled={network === ''}>
        <p>
          Every agent that registered from <strong>{network}</strong> is refused within a second. Nothing brings their
          keys back.
        </p>
      </Confirm>
      <p role="status">{outcome.value}</p>
    </Section>
  );
}
