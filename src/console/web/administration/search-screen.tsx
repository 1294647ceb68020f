import { useSignal } from '@preact/signals';
import { ActionForm, TextField } from '../parts/form.js';
import { Badge, Facts, Time } from '../parts/values.js';
import { Empty } from '../parts/listing.js';
import { type Admin, adminApi } from '../session/api.js';
import { RevokeAnyKey } from './account-acts.js';

type Match = Admin['schemas']['FoundReply'];

/** Whatever an administrator has in hand leads to whose it is. */
export function SearchScreen() {
  const asked = useSignal('');
  const matches = useSignal<readonly Match[] | null>(null);
  const hasMore = useSignal(false);
  const search = async () => {
    const q = asked.value.trim();
    if (q.startsWith('ms_')) {
      // A token goes in a body: addresses of requests are written down on their way.
      matches.value = [await adminApi.post('/admin/v1/keys/lookup', { body: { token: q } })];
      hasMore.value = false;
      return;
    }
    const reply = await adminApi.get('/admin/v1/search', { query: { q } });
    matches.value = reply.matches;
    hasMore.value = reply.more;
  };
  return (
    <>
      <h1>Search</h1>
      <div class="card">
        <ActionForm
          action="Search"
          disabled={asked.value.trim() === ''}
          onAct={async () => {
            matches.value = null;
            await search();
          }}
        >
          <TextField
            label="A key, its last four signs, an account, a batch, an address or a contact"
            type="search"
            value={asked}
            maxLength={200}
            hint="A whole key is compared by its hash and kept nowhere."
          />
        </ActionForm>
      </div>
      <div role="status">
        {matches.value?.length === 0 && <Empty title="Nothing matches" />}
        {matches.value?.map((match, index) => (
          <MatchCard key={`${match.type} ${index}`} of={match} onRevoked={search} />
        ))}
        {hasMore.value && <p class="hint">There are more: be more exact.</p>}
      </div>
    </>
  );
}

function MatchCard({ of: match, onRevoked }: { readonly of: Match; readonly onRevoked: () => Promise<void> }) {
  const { type, matched_by: by, account, key, batch, agent } = match;
  const title = { account: 'Account', key: 'Key', batch: 'Batch' }[type];
  return (
    <article class="card" aria-label={title}>
      <h2>
        {title} <span class="hint">found by {by.replaceAll('_', ' ')}</span>
      </h2>
      <Facts
        of={{
          Account: account && <a href={`/console/accounts/${account.id}`}>{account.name ?? account.id}</a>,
          Plan: account && `${account.plan}, ${account.status}`,
          Contact: account?.contact_email ? account.contact_email : null,
          Key: key && `${key.kind} …${key.last_four}${key.name === null ? '' : `, ${key.name}`}`,
          State: key && <Badge isGood={key.status === 'active'}>{key.status}</Badge>,
          'Last used': key && <Time at={key.last_used_at} />,
          Registered: agent && <Time at={agent.registered_at} />,
          From: agent?.client_address ? <code>{agent.client_address}</code> : null,
          Batch: batch && `${batch.id}, ${batch.status}`,
        }}
      />
      {key !== null && key.status !== 'revoked' && (
        <RevokeAnyKey id={key.id} lastFour={key.last_four} onRevoked={onRevoked} />
      )}
    </article>
  );
}
