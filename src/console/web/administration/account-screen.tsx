import { useRoute } from 'preact-iso';
import { CeilingsUsed, makerOf, nameOf } from '../account/key.js';
import { Badge, count, Facts, Time } from '../parts/values.js';
import { figure, type Part, Table, Unloaded, useLoad } from '../parts/listing.js';
import { type Admin, adminApi } from '../session/api.js';
import { UsageFigures } from '../account/usage.js';
import { AccountActs, RevokeAnyKey } from './account-acts.js';
import { AuditTable } from './audit-screen.js';

type Details = Admin['schemas']['AccountDetailsReply'];

/** Everything that is newest of one account, and what an administrator does to it. */
export function AccountScreen() {
  const id = useRoute().params['id'] ?? '';
  const loaded = useLoad((signal) => adminApi.get('/admin/v1/accounts/{id}', { path: { id }, signal }), [id]);
  const { data, failure, reload } = loaded;
  const account = data.value;
  if (account === null || failure.value !== null)
    return <Unloaded of={loaded} title="Account" to="/console/accounts" toTitle="All accounts" />;
  return (
    <>
      <h1 class="long">{account.name ?? (account.agent === null ? account.id : 'Agent')}</h1>
      {account.status === 'suspended' && (
        <p class="error">
          Suspended since <Time at={account.suspended_at} />: every key of it is refused.
        </p>
      )}
      <Overview of={account} />
      <AccountActs of={account} onChanged={reload} />
      <AccountUsage of={account} />
      <AccountKeys of={account} onChanged={reload} />
      <AccountWork of={account} />
      <h2>Ledger, newest entries</h2>
      <AccountLedger of={account} />
      <h2>Audit, newest entries</h2>
      <AuditTable rows={account.audit} />
    </>
  );
}

function Overview({ of: account }: { readonly of: Details }) {
  const { credits, agent } = account;
  return (
    <div class="card">
      <Facts
        of={{
          Id: <code>{account.id}</code>,
          Plan: account.plan,
          Region: account.region,
          'Credits left': credits && <strong>{count(credits.remaining)}</strong>,
          Reserved: credits && count(credits.reserved),
          'Used so far': credits && count(credits.used_total),
          Contact: account.contact_email,
          Note: account.note,
          Purpose: agent && (agent.purpose ?? 'not said'),
          'Registered from': agent && <code>{agent.client_address ?? 'unknown'}</code>,
          Claimed: agent && <Time at={agent.claimed_at} none="by nobody" />,
          Made: <Time at={account.created_at} />,
        }}
      />
    </div>
  );
}

/** Of the last 30 days, with what was refused. */
function AccountUsage({ of: { usage, agent_credits: today } }: { readonly of: Details }) {
  return (
    <>
      <h2>Usage of 30 days</h2>
      {today !== null && (
        <p>
          {count(today.used_today)} of {count(today.daily_free_credits)} free checks used today.
        </p>
      )}
      <UsageFigures usage={usage} />
    </>
  );
}

function AccountKeys({ of: account, onChanged }: Part<Details>) {
  const names = new Map(account.keys.map((key) => [key.id, nameOf(key)]));
  return (
    <>
      <h2>Keys</h2>
      <Table
        label="Keys of the account"
        rows={account.keys}
        columns={{
          Name: ({ name }) => name ?? '',
          Kind: ({ kind }) => kind,
          'Ends in': (key) => <code>…{key.last_four}</code>,
          State: ({ status }) => <Badge isGood={status === 'active'}>{status}</Badge>,
          Ceilings: ({ ceilings }) => <CeilingsUsed of={ceilings} />,
          'Made by': (key) => makerOf(key, names),
          'Last used': (key) => <Time at={key.last_used_at} />,
          '': (key) =>
            key.status === 'revoked' ? null : (
              <RevokeAnyKey id={key.id} lastFour={key.last_four} onRevoked={onChanged} isSmall />
            ),
        }}
        empty="No key"
      />
    </>
  );
}

function AccountWork({ of: account }: { readonly of: Details }) {
  return (
    <>
      <h2>Batches, newest</h2>
      <Table
        label="Batches of the account"
        rows={account.batches}
        columns={{
          Batch: ({ id }) => String(id),
          State: ({ status, test }) => (test ? `${status} (test)` : status),
          Addresses: (one) => one.total_emails,
          Credits: (one) => one.credits_charged,
          Sent: (one) => <Time at={one.created_at} />,
        }}
        empty="No batch"
      />
      <h2>Webhook endpoints</h2>
      <Table
        label="Endpoints of the account"
        rows={account.webhooks}
        columns={{
          URL: ({ url }) => <span class="long">{url}</span>,
          On: (one) => (one.enabled ? 'yes' : `no: ${one.disabled_reason ?? ''}`),
          'Failing since': (one) => <Time at={one.failing_since} none="is not" />,
          'Last success': (one) => <Time at={one.last_success_at} />,
        }}
        empty="No endpoint"
      />
    </>
  );
}

function AccountLedger({ of: { ledger } }: { readonly of: Details }) {
  return (
    <Table
      label="Ledger of the account"
      rows={ledger}
      keyOf={(entry) => `${entry.created_at} ${entry.kind} ${entry.balance_after} ${entry.amount}`}
      columns={{
        When: (entry) => <Time at={entry.created_at} />,
        Entry: ({ kind }) => kind,
        For: (entry) => entry.what_for,
        Amount: ({ amount }) => figure(amount > 0 ? `+${count(amount)}` : count(amount)),
        Balance: (entry) => entry.balance_after,
      }}
      empty="Nothing has changed the balance"
    />
  );
}
