import { useSignal } from '@preact/signals';
import { ActionForm } from '../parts/action.js';
import { Confirm } from '../parts/dialog.js';
import { Facts } from '../parts/facts.js';
import { FailureNote } from '../parts/failure.js';
import { TextField } from '../parts/field.js';
import { count, counted } from '../parts/figures.js';
import { useLoad } from '../parts/load.js';
import { Empty, PagedTable } from '../parts/paged-table.js';
import { Countdown, Time } from '../parts/time.js';
import { adminApi, take } from '../session/api.js';
import { linkTo } from '../parts/link.js';
import { RevokeAnyKey } from './account-acts.js';

/** Agents that registered themselves, and the credits that they share each day. */
export function AgentsScreen() {
  const address = useSignal('');
  const text = useSignal('');
  const asked = useSignal({ address: '', text: '' });
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
            asked.value = { address: address.value.trim(), text: text.value.trim() };
          }}
        >
          <div class="row">
            <TextField label="Registered from (address or network)" value={address} maxLength={100} />
            <TextField label="Name, purpose or contact" value={text} maxLength={200} />
          </div>
        </ActionForm>
      </div>
      <PagedTable
        label="Agents"
        on={[asked.value, changed.value]}
        load={async (cursor, signal) => {
          const given = Object.fromEntries(Object.entries(asked.value).filter(([, value]) => value !== ''));
          return take(adminApi.GET('/admin/v1/agents', { params: { query: { cursor, ...given } }, signal }));
        }}
        rows={(page) => page.agents}
        keyOf={(agent) => agent.key_id}
        empty={<Empty title="No agent" />}
        columns={[
          {
            name: 'Agent',
            cell: (agent) => (
              <a href={linkTo(`/accounts/${agent.account_id}`)}>{agent.name ?? `…${agent.last_four}`}</a>
            ),
          },
          { name: 'Purpose', cell: ({ purpose }) => purpose ?? '' },
          { name: 'From', cell: (agent) => <code>{agent.client_address ?? 'forgotten'}</code> },
          {
            name: 'State',
            cell: ({ status }) => <span class={`badge ${status === 'active' ? 'valid' : 'invalid'}`}>{status}</span>,
          },
          { name: 'Registered', cell: (agent) => <Time at={agent.registered_at} /> },
          { name: 'Last used', cell: (agent) => <Time at={agent.last_used_at} /> },
          {
            name: '',
            cell: (agent) =>
              agent.status === 'revoked' ? null : (
                <RevokeAnyKey id={agent.key_id} lastFour={agent.last_four} onRevoked={again} isSmall isAgent />
              ),
          },
        ]}
      />
    </>
  );
}

function Pool() {
  const { data, failure, reload } = useLoad((signal) => take(adminApi.GET('/admin/v1/pool', { signal })));
  const capacity = useSignal('');
  const pool = data.value;
  const change = async () => {
    const wanted = capacity.value.trim();
    await take(adminApi.PATCH('/admin/v1/pool', { body: { capacity: wanted === '' ? null : Number(wanted) } }));
    await reload();
  };
  return (
    <section class="card" aria-labelledby="pool">
      <h2 id="pool">Today's pool</h2>
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
          <ActionForm action="Change" class="small" onAct={change}>
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
    </section>
  );
}

function RevokeNetwork({ onRevoked }: { readonly onRevoked: () => Promise<void> }) {
  const address = useSignal('');
  const outcome = useSignal('');
  const network = address.value.trim();
  const revoke = async () => {
    const { revoked } = await take(adminApi.POST('/admin/v1/agents/revoke', { body: { address: network } }));
    outcome.value =
      revoked === 0
        ? `None: no agent that registered from ${network} has a key that still works.`
        : `${counted(revoked, 'key')} of ${network} revoked.`;
    address.value = '';
    await onRevoked();
  };
  return (
    <section class="card" aria-labelledby="revoke-network">
      <h2 id="revoke-network">Revoke by network</h2>
      <TextField
        label="Address or network"
        value={address}
        placeholder="192.0.2.0/24"
        maxLength={100}
        hint="Every agent that registered from there is refused within a second."
      />
      <Confirm action="Revoke all of it" onAct={revoke} word={network} disabled={network === ''}>
        <p>
          Every agent that registered from <strong>{network}</strong> is refused within a second. Nothing brings their
          keys back.
        </p>
      </Confirm>
      <p role="status">{outcome.value}</p>
    </section>
  );
}
