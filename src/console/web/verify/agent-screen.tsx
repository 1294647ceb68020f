import { useLocation } from 'preact-iso';
import { ActionButton } from '../parts/action.js';
import { Facts } from '../parts/facts.js';
import { FailureNote } from '../parts/failure.js';
import { count } from '../parts/figures.js';
import { useLoad } from '../parts/load.js';
import { Empty, PagedTable, Waiting } from '../parts/paged-table.js';
import { Countdown, Time } from '../parts/time.js';
import { agentApi, take } from '../session/api.js';
import { linkTo } from '../parts/link.js';
import { endedBecause, signOut } from '../session/session.js';

/** What a person may see of an agent with its key; to work is the agent's own business. */
export function AgentScreen() {
  const { data, failure } = useLoad((signal) => take(agentApi.GET('/api/v1/credits', { signal })));
  const { route } = useLocation();
  const credits = data.value?.data;
  const claim = async () => {
    await signOut(false);
    endedBecause.value = 'Sign in with a live key of your account to claim the agent.';
    route(linkTo('/claim'));
  };
  return (
    <>
      <h1>This agent</h1>
      <FailureNote failure={failure.value} />
      {credits === undefined ? (
        <Waiting />
      ) : (
        <section class="card" aria-labelledby="today">
          <h2 id="today">{count(credits.remaining)} free checks left today</h2>
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
        </section>
      )}
      <h2>Its lists</h2>
      <PagedTable
        label="Lists of the agent"
        load={async (cursor, signal) =>
          (await take(agentApi.GET('/api/v1/verify/batch', { params: { query: { limit: 20, cursor } }, signal }))).data
        }
        rows={(page) => page.batches}
        keyOf={({ id }) => id}
        empty={<Empty title="The agent has sent no list yet" />}
        columns={[
          { name: 'Name', cell: ({ id, name }) => name ?? `List ${id}` },
          { name: 'State', cell: ({ status }) => status },
          { name: 'Rows', cell: ({ total_emails: total }) => count(total), isNumber: true },
          { name: 'Sent', cell: ({ created_at: at }) => <Time at={at} /> },
        ]}
      />
      <section class="card" aria-labelledby="claim">
        <h2 id="claim">Take it under your account</h2>
        <p>
          With the <code>claim_token</code> of its registration, or its key, and a live key of your account. The agent
          keeps its key and its free checks, its lists become visible to the account, and you can rename and revoke it
          there.
        </p>
        <ActionButton class="primary" onAct={claim}>
          Sign in to your account, and claim it
        </ActionButton>
      </section>
    </>
  );
}
