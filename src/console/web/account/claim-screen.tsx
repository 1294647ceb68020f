import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { ActionForm, TextField, timeIn, useFields, valuesIn } from '../parts/form.js';
import { announce } from '../parts/announcer.js';
import { Facts, Time } from '../parts/values.js';
import { type Account, api } from '../session/api.js';
import { session } from '../session/session.js';
import { CeilingFields, ceilingsIn, useCeilings } from './key-dialogs.js';

type Claimed = Account['schemas']['ClaimedKeyReply'];

/** Takes an agent's key under the account: what the agent does beyond its free credits is then paid here, as far as is said here. */
export function ClaimScreen() {
  const claimed = useSignal<Claimed | null>(null);
  if (claimed.value !== null) return <ClaimedAgent of={claimed.value} onNext={() => (claimed.value = null)} />;
  return (
    <>
      <h1>Claim an agent</h1>
      <p>
        An agent that registered itself hands you its <code>claim_token</code>. It keeps its key and its free checks of
        the day; its lists become visible here, and you can rename, limit and revoke its key.
      </p>
      {session.value?.simulated === true ? (
        <p class="note">You are in test mode. Sign in with a live key: what an agent spends is real.</p>
      ) : (
        <ClaimForm onDone={(key) => (claimed.value = key)} />
      )}
    </>
  );
}

function ClaimForm({ onDone }: { readonly onDone: (claimed: Claimed) => void }) {
  const token = useSignal('');
  const fields = useFields({ name: '', expires_at: '' });
  const ceilings = useCeilings(null);
  const asked = useRef({ text: '', idempotencyKey: '' });
  const claim = async () => {
    const proof = token.value.trim();
    const body = {
      // The key of the agent itself proves as much as the token that came with it.
      ...(proof.startsWith('ms_agent_') ? { agent_key: proof } : { claim_token: proof }),
      ...valuesIn(fields),
      expires_at: timeIn(fields.expires_at),
      ...ceilingsIn(ceilings),
    };
    // A claim that was answered unheard is asked again as the same request; a corrected one is another.
    const text = JSON.stringify(body);
    if (asked.current.text !== text) asked.current = { text, idempotencyKey: crypto.randomUUID() };
    const header = { 'Idempotency-Key': asked.current.idempotencyKey };
    onDone(await api.post('/api/v1/claims', { header, body }));
    announce('The agent is yours.');
  };
  return (
    <ActionForm action="Claim it" onAct={claim} disabled={token.value.trim() === ''}>
      <TextField
        label="Claim token"
        type="password"
        value={token}
        required
        maxLength={100}
        hint="ms_claim_…, or the agent’s own key. It is sent once and stands in no address."
      />
      <div class="row">
        <TextField label="Name" value={fields.name} maxLength={80} hint="Empty: as the agent calls itself." />
        <TextField label="Works until" type="datetime-local" value={fields.expires_at} hint="Empty: for ever." />
      </div>
      <CeilingFields
        of={ceilings}
        hint="What it may spend of your balance beyond its free checks. All empty: nothing. Days and months are those of UTC."
      />
    </ActionForm>
  );
}

function ClaimedAgent({ of: key, onNext }: { readonly of: Claimed; readonly onNext: () => void }) {
  return (
    <>
      <h1>The agent is claimed</h1>
      <div class="card">
        <Facts
          of={{
            Name: key.name ?? `…${key.last_four}`,
            Registered: <Time at={key.registered_at} />,
            'It says that it is for': key.purpose,
            'Reached by': key.contact,
            'Works until': <Time at={key.expires_at} none="for ever" />,
          }}
        />
      </div>
      <p>
        Its key is among <a href="/console/keys">your keys</a>, where its ceilings can be changed, and its lists are
        among <a href="/console/batches">your lists</a>.
      </p>
      <button type="button" onClick={onNext}>
        Claim another
      </button>
    </>
  );
}
