import { useLocation } from 'preact-iso';
import { ActionButton } from '../parts/form.js';
import { count, Countdown, Facts, Time } from '../parts/values.js';
import { FailureNote } from '../parts/failure.js';
import { Listing, Section, useLoad, Waiting } from '../parts/listing.js';
import { agentApi } from '../session/api.js';
import { endedBecause, signOut } from '../session/session.js';

/** What a person may see of an agent with its key; to work is the agent's own business. */
export function AgentScreen() {
  const { data, failure } = useLoad((signal) => agentApi.get('/api/v1/credits', { signal }));
  const { route } = useLocation();
  const credits = data.value?.data;
  const claim = async () => {
    await signOut(false);
    endedBecause.value = 'Sign in with a live key of your account to claim the agent.';
    route('/console/claim');
  };
  return (
    <>
      <h1>This agent</h1>
      <FailureNote failure={failure.value} />
      {credits === undefined ? (
        <Waiting />
      ) : (
        <Section id="today" title={`${count(credits.remaining)} free checks left today`} class="card">
          <Facts
            of={{
              'Used today': `${count(credits.used_today)} of ${count(credits.daily_free_credits)}`,
              'Held for work that runs': count(credits.reserved),
              'New ones in': (
                <>
                  <Countdown until={credits.resets_at} /> (<Time at={credits.resets_at} />)
                </>
              ),
              'All agents together': credits.shared_capacity_available ? null : 'have used up what there is today',
            }}
          />
        </Section>
      )}
      <h2>Its lists</h2>
      <Listing
        label="Lists of the agent"
        load={async (page) => (await agentApi.get('/api/v1/verify/batch', page({ limit: 20 }))).data}
        rows="batches"
        empty="The agent has sent no list yet"
        columns={{
          Name: ({ id, name }) => name ?? `List ${id}`,
          State: ({ status }) => status,
          Rows: ({ total_emails: total }) => total,
          Sent: ({ created_at: at }) => <Time at={at} />,
        }}
      />
      <Section id="claim" title="Take it under your account" class="card">
        <p>
          With the <code>claim_token</code> of its registration, or its key, and a live key of your account. The agent
          keeps its key and its free checks, its lists become visible to the account, and you can rename and revoke it
          there.
        </p>
        <ActionButton class="primary" onAct={claim}>
          Sign in to your account, and claim it
        </ActionButton>
      </Section>
    </>
  );
}
