import { useSignal } from '@preact/signals';
import { count, counted, Facts, Time } from '../parts/values.js';
import { PROVIDERS, providerName } from '../parts/provider-names.js';
import { Empty, type Loaded, type Part, useLoad, WhenLoaded } from '../parts/listing.js';
import { type Admin, adminApi } from '../session/api.js';
import { Opener, Switch } from '../parts/dialog.js';
import {
  ActionButton,
  ActionForm,
  type Fields,
  numberIn,
  SelectField,
  TextField,
  useFields,
  valuesIn,
} from '../parts/form.js';

/** The operator's own mailboxes, in which placement tests look for mail. What opens one is never shown. */
export function SeedsScreen() {
  const loaded = useLoad((signal) => adminApi.get('/admin/v1/placement/seeds', { signal }));
  return (
    <>
      <div class="title-line">
        <h1>Seed mailboxes</h1>
        <Opener action="Add a mailbox" class="primary">
          {(close) => <AddSeed onClose={close} onAdded={loaded.reload} />}
        </Opener>
      </div>
      <p>
        Mailboxes of your own at mail operators: placement tests look in them for where a mail was put. What opens one
        is sealed, and nobody is shown it again. <a href="/docs/guides/deliverability#seeds">How they work</a>
      </p>
      <WhenLoaded of={loaded}>{({ seeds }) => <Seeds of={seeds} {...loaded} />}</WhenLoaded>
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
  const path = { id };
  const tested = useSignal<Tested | null>(null);
  const test = async () => {
    tested.value = null;
    tested.value = await adminApi.post('/admin/v1/placement/seeds/{id}/test', { path });
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
        <ActionButton class="small" onAct={test} onDone={onChanged}>
          Test now
        </ActionButton>
        <RotateSeed of={seed} onChanged={onChanged} />
        <Switch
          isOff={state === 'off'}
          on={{
            action: 'Turn on',
            onAct: () => adminApi.post('/admin/v1/placement/seeds/{id}/on', { path }),
            said: `${address} is read again.`,
          }}
          off={{
            action: 'Turn off',
            title: `Turn ${address} off`,
            class: 'small danger',
            onAct: (reason) => adminApi.post('/admin/v1/placement/seeds/{id}/off', { path, body: { reason } }),
            said: `${address} is off.`,
            children: <p>Nobody reads it any more. In tests that wait for it, it counts nowhere.</p>,
          }}
          onDone={onChanged}
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

type SeedInput = Admin['schemas']['SeedRequest'];
type Credentials = Admin['schemas']['SeedCredentialsRequest'];

const NO_CREDENTIALS = {
  kind: 'password' as 'password' | 'token',
  password: '',
  refresh_token: '',
  token_url: '',
  client_id: '',
  client_secret: '',
};
type CredentialFields = Fields<typeof NO_CREDENTIALS>;

function credentialsIn({ kind, password, ...token }: CredentialFields): Credentials {
  // A password is sent to the letter: blanks may be part of it.
  return kind.value === 'password' ? { password: password.value } : valuesIn(token);
}

/** What opens a mailbox goes to the service once, and never comes back. */
function CredentialInputs({ of: fields }: { readonly of: CredentialFields }) {
  return (
    <>
      <SelectField
        label="Opened by"
        value={fields.kind}
        options={[
          ['password', 'A password'],
          ['token', 'A refresh token of OAuth 2'],
        ]}
      />
      {fields.kind.value === 'password' ? (
        <TextField
          label="Password"
          type="password"
          required
          value={fields.password}
          maxLength={1_000}
          hint="Better one that the provider gives for this program alone (“app password”)."
        />
      ) : (
        <>
          <TextField label="Refresh token" type="password" required value={fields.refresh_token} maxLength={8_000} />
          <TextField
            label="Where access tokens are given out"
            type="url"
            required
            value={fields.token_url}
            maxLength={500}
            placeholder="https://login.example/token"
          />
          <div class="row">
            <TextField label="Client" required value={fields.client_id} maxLength={500} />
            <TextField label="Secret of the client" type="password" value={fields.client_secret} maxLength={1_000} />
          </div>
        </>
      )}
    </>
  );
}

type TypedSeed = Readonly<Record<'address' | 'host' | 'port' | 'login' | 'authserv_id', string>> &
  Pick<SeedInput, 'provider'> & { readonly security: NonNullable<SeedInput['security']> };

function AddSeed({ onClose, onAdded }: { readonly onClose: () => void; readonly onAdded: () => Promise<void> }) {
  const credentials = useFields(NO_CREDENTIALS);
  const fields = useFields<TypedSeed>({
    provider: 'gmail',
    address: '',
    host: '',
    port: '',
    security: 'tls',
    login: '',
    authserv_id: '',
  });
  const { provider, address, host, port, security, login, authserv_id: authserv } = fields;
  const add = async () => {
    const own = { address: address.value.trim(), port: numberIn(port) };
    const body: SeedInput = { ...valuesIn(fields), ...own, ...credentialsIn(credentials) };
    await adminApi.post('/admin/v1/placement/seeds', { body });
  };
  return (
    <ActionForm
      action="Add it"
      onAct={add}
      said="The mailbox is added. Tests use it once a worker has read it."
      onDone={() => onAdded().then(onClose)}
    >
      <SelectField
        label="Provider"
        value={provider}
        options={PROVIDERS.map((one) => [one, providerName(one)] as const)}
      />
      <TextField label="Address" value={address} required maxLength={254} placeholder="seed-1@example.com" />
      <CredentialInputs of={credentials} />
      <details open={provider.value === 'other'}>
        <summary>Its server, where it is not the provider’s usual one</summary>
        <div class="row">
          <TextField label="IMAP server" value={host} maxLength={253} placeholder="imap.example.com" />
          <TextField label="Port" type="number" value={port} min={1} max={65_535} placeholder="993" />
        </div>
        <SelectField
          label="Security"
          value={security}
          options={[
            ['tls', 'TLS from the first byte'],
            ['starttls', 'STARTTLS before anything secret is said'],
            ['none', 'None: on loopback only'],
          ]}
        />
        <TextField label="Login" value={login} maxLength={254} hint="The address, where nothing is said." />
        <TextField
          label="Name of its Authentication-Results"
          value={authserv}
          maxLength={255}
          placeholder="mx.example.com"
        />
      </details>
    </ActionForm>
  );
}

/** A mailbox whose password was changed; one that was off is on again. */
function RotateSeed({ of, onChanged }: Part<Seed>) {
  return (
    <Opener action="New credentials" title={`New credentials of ${of.address}`} class="small">
      {(close) => <RotateForm of={of} onChanged={() => onChanged().then(close)} />}
    </Opener>
  );
}

/** Of its own, so that nothing of what was typed is left once it is closed. */
function RotateForm({ of: { id, address }, onChanged }: Part<Seed>) {
  const credentials = useFields(NO_CREDENTIALS);
  const body = credentialsIn(credentials);
  return (
    <ActionForm
      action="Set them"
      onAct={() => adminApi.post('/admin/v1/placement/seeds/{id}/rotate', { path: { id }, body })}
      said={`${address} has new credentials.`}
      onDone={onChanged}
    >
      <p>What opened it before is forgotten. One that was off is on again, and is used once a worker has read it.</p>
      <CredentialInputs of={credentials} />
    </ActionForm>
  );
}
