import { ActionButton } from '../parts/form.js';
import { Countdown, Facts, Time } from '../parts/values.js';
import { session, signOut } from '../session/session.js';

const KINDS = {
  live: 'Live: real mail servers, and credits',
  test: 'Test: a simulated mail world, free of charge',
  agent: 'Agent: free checks each UTC day',
  admin: 'Administrator',
} as const;

/** Who is signed in, with what, and how that ends. */
export function SessionScreen() {
  const current = session.value;
  if (current === null) return null;
  const { account, key, permissions } = current;
  return (
    <>
      <h1>This session</h1>
      <div class="card">
        <Facts
          of={{
            Account: account && (account.name ?? account.id),
            Plan: account && account.plan,
            Key: `${key.name ?? 'without a name'} (…${key.last_four})`,
            Kind: KINDS[key.kind],
            May: permissions === null ? 'everything that its kind may' : permissions.join(', '),
            Ends: (
              <>
                <Time at={current.expires_at} />, in <Countdown until={current.expires_at} />, and later when you go on
                using it
              </>
            ),
          }}
        />
      </div>
      <div class="actions">
        <ActionButton class="primary" onAct={() => signOut(false)}>
          Sign out
        </ActionButton>
        <ActionButton onAct={() => signOut(true)}>Sign out everywhere</ActionButton>
      </div>
      <p class="hint">
        Everywhere means every browser that is signed in with this key. To end all use of a key, revoke it: its sessions
        end within a second.
      </p>
    </>
  );
}
