import { useSignal } from '@preact/signals';
import { count, counted } from '../parts/figures.js';
import { type Loaded, useLoad } from '../parts/load.js';
import { Empty, WhenLoaded, type Part } from '../parts/paged-table.js';
import { type Admin, adminApi, take } from '../session/api.js';
import { AddSeed, RotateSeed } from './seed-forms.js';
import { ActionButton } from '../parts/action.js';
import { providerName } from '../parts/badge.js';
import { Facts } from '../parts/facts.js';
import { Time } from '../parts/time.js';
import { OnOrOff } from './watched-lists-screen.js';

/** The operator's own mailboxes, in which placement tests look for mail. What opens one is never shown. */
export function SeedsScreen() {
  const loaded = useLoad((signal) => take(adminApi.GET('/admin/v1/placement/seeds', { signal })));
  const isAdding = useSignal(false);
  return (
    <>
      <div class="title-line">
        <h1>Seed mailboxes</h1>
        <button type="button" class="primary" onClick={() => (isAdding.value = true)}>
          Add a mailbox
        </button>
      </div>
      <p>
        Mailboxes of your own at mail operators: placement tests look in them for where a mail was put. What opens one
        is sealed, and nobody is shown it again. <a href="/docs/guides/deliverability#seeds">How they work</a>
      </p>
      <WhenLoaded of={loaded}>{({ seeds }) => <Seeds of={seeds} {...loaded} />}</WhenLoaded>
      {isAdding.value && <AddSeed onClose={() => (isAdding.value = false)} onAdded={loaded.reload} />}
    </>
  );
}

interface SeedsProps extends Pick<Loaded<unknown>, 'isLoading' | 'reload'> {
  readonly of: readonly Seed[];
}

function Seeds({ of: seeds, isLoading, reload }: SeedsProps) {
  if (seeds.length === 0)
    return (
      <Empty title="There is no mailbox yet">
        <p>Without one a placement test has the report on the mail alone. Two at each provider are a good beginning.</p>
      </Empty>
    );
  return (
    <>
      <div class="title-line">
        <p>
          {count(seeds.filter(({ usable }) => usable).length)} of {counted(seeds.length, 'mailbox', 'mailboxes')} can be
          used in new tests.
        </p>
        <button type="button" class="small" disabled={isLoading.value} onClick={() => void reload()}>
          Look again
        </button>
      </div>
      <div class="cards">
        {seeds.map((seed) => (
          <SeedCard key={seed.id} of={seed} onChanged={reload} />
        ))}
      </div>
    </>
  );
}

type Seed = Admin['schemas']['SeedMailboxReply'];
type Tested = Admin['schemas']['SeedTestReply'];

/** Health checks in a row that turn a mailbox off. */
const MAX_FAILURES = 3;

/** One mailbox: whether it can be read, since when, why not, and what can be done about it. */
export function SeedCard({ of: seed, onChanged }: Part<Seed>) {
  const { id, address, provider, host, port, security, login, why, failures, state } = seed;
  const params = { path: { id } };
  const tested = useSignal<Tested | null>(null);
  const test = async () => {
    tested.value = null;
    tested.value = await take(adminApi.POST('/admin/v1/placement/seeds/{id}/test', { params }));
    await onChanged();
  };
  return (
    <article class="card" aria-label={address}>
      <div class="title-line">
        <h2>{providerName(provider)}</h2>
        <SeedState of={seed} />
      </div>
      <Facts
        of={{
          Mailbox: <Name of={address} />,
          Login: login === address ? null : <Name of={login} />,
          Server: <Name of={`${host}:${port} ${security}`} />,
          'Last read': <Time at={seed.last_ok_at} />,
          'Looked at': <Time at={seed.checked_at} />,
          'Failures in a row':
            failures === 0 || state === 'off' ? null : `${failures} of ${MAX_FAILURES}, which turn it off`,
          Why: why,
        }}
      />
      {tested.value !== null && <TestResult of={tested.value} />}
      <div class="actions">
        <ActionButton class="small" onAct={test}>
          Test now
        </ActionButton>
        <RotateSeed of={seed} onChanged={onChanged} />
        <OnOrOff
          name={address}
          isOff={state === 'off'}
          warning="Nobody reads it any more. In tests that wait for it, it counts nowhere."
          done={{ on: `${address} is read again.`, off: `${address} is off.` }}
          turnOn={() => take(adminApi.POST('/admin/v1/placement/seeds/{id}/on', { params }))}
          turnOff={(reason) => take(adminApi.POST('/admin/v1/placement/seeds/{id}/off', { params, body: { reason } }))}
          onChanged={onChanged}
        />
      </div>
    </article>
  );
}

function Name({ of }: { readonly of: string }) {
  return <span class="mono wrap">{of}</span>;
}

const FAULTS: Readonly<Record<NonNullable<Tested['fault']>, string>> = {
  address_refused: 'The service may not connect to the address of its server.',
  host_not_found: 'The DNS knows no such server.',
  connection_failed: 'Its server could not be reached.',
  tls_failed: 'Its server offered no TLS that can be trusted.',
  login_refused: 'Its server refused the login: the password or the token is not, or no longer, good.',
  timeout: 'Its server took too long.',
  too_much_data: 'Its server sent more than is read.',
  too_many_folders:
    'It has more folders than Mailsonde reads. Delete folders, or use a mailbox that gets nothing but tests.',
  protocol_error: 'Its server said what IMAP does not know.',
  secret_unreadable: 'What opens it cannot be unsealed with the present SECRETS_KEY: give it new credentials.',
  token_refused: 'No access token was given for its refresh token: give it new credentials.',
};

/** What the login that was just made has shown. */
function TestResult({ of: { readable, fault, told, folders, has_junk: hasJunk } }: { readonly of: Tested }) {
  if (!readable)
    return (
      <div class="error" role="alert">
        <p>It could not be read. {fault !== null && FAULTS[fault]}</p>
        {told !== null && (
          <p class="hint">
            Its server said: <q class="mono wrap">{told}</q>
          </p>
        )}
      </div>
    );
  return (
    <p class="note" role="status">
      It can be read: {counted(folders ?? 0, 'folder')},{' '}
      {hasJunk === true ? 'one of them for junk.' : 'none named as the one for junk, so junk counts as another folder.'}
    </p>
  );
}

function SeedState({ of: { state, usable, failures, why } }: { readonly of: Seed }) {
  if (state === 'off') return <span class="badge invalid">off</span>;
  if (failures > 0 || (!usable && why !== null)) return <span class="badge risky">failing</span>;
  return usable ? <span class="badge valid">works</span> : <span class="badge unknown">not read yet</span>;
}
