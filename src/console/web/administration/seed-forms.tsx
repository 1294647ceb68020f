import type { Part } from '../parts/paged-table.js';
import { type Signal, useSignal } from '@preact/signals';
import { ActionForm } from '../parts/action.js';
import { announce } from '../parts/announcer.js';
import { Dialog, Opener } from '../parts/dialog.js';
import { SelectField, TextField } from '../parts/field.js';
import { providerName } from '../parts/badge.js';
import { type Admin, adminApi, take } from '../session/api.js';

type Wanted = Admin['schemas']['SeedRequest'];
type Credentials = Admin['schemas']['SeedCredentialsRequest'];
type Security = NonNullable<Wanted['security']>;

const PROVIDERS = [
  'gmail',
  'outlook',
  'yahoo',
  'aol',
  'icloud',
  'fastmail',
  'gmx',
  'webde',
  'zoho',
  'yandex',
  'mailru',
  'other',
] as const satisfies readonly Wanted['provider'][];

interface CredentialFields {
  readonly kind: Signal<'password' | 'token'>;
  readonly password: Signal<string>;
  readonly token: Signal<string>;
  readonly tokenUrl: Signal<string>;
  readonly clientId: Signal<string>;
  readonly clientSecret: Signal<string>;
}

function useCredentials(): CredentialFields {
  return {
    kind: useSignal<'password' | 'token'>('password'),
    password: useSignal(''),
    token: useSignal(''),
    tokenUrl: useSignal(''),
    clientId: useSignal(''),
    clientSecret: useSignal(''),
  };
}

const textOrNull = ({ value }: Signal<string>): string | null => (value.trim() === '' ? null : value.trim());

function credentialsIn(fields: CredentialFields): Credentials {
  // A password is sent to the letter: blanks may be part of it.
  if (fields.kind.value === 'password') return { password: fields.password.value };
  return {
    refresh_token: textOrNull(fields.token),
    token_url: textOrNull(fields.tokenUrl),
    client_id: textOrNull(fields.clientId),
    client_secret: textOrNull(fields.clientSecret),
  };
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
          <TextField label="Refresh token" type="password" required value={fields.token} maxLength={8_000} />
          <TextField
            label="Where access tokens are given out"
            type="url"
            required
            value={fields.tokenUrl}
            maxLength={500}
            placeholder="https://login.example/token"
          />
          <div class="row">
            <TextField label="Client" required value={fields.clientId} maxLength={500} />
            <TextField label="Secret of the client" type="password" value={fields.clientSecret} maxLength={1_000} />
          </div>
        </>
      )}
    </>
  );
}

interface AddSeedProps {
  readonly onClose: () => void;
  readonly onAdded: () => Promise<void>;
}

export function AddSeed({ onClose, onAdded }: AddSeedProps) {
  const provider = useSignal<Wanted['provider']>('gmail');
  const address = useSignal('');
  const credentials = useCredentials();
  const host = useSignal('');
  const port = useSignal('');
  const security = useSignal<Security>('tls');
  const login = useSignal('');
  const authserv = useSignal('');
  const add = async () => {
    const body: Wanted = {
      provider: provider.value,
      address: address.value.trim(),
      host: textOrNull(host),
      port: port.value === '' ? null : Number(port.value),
      security: security.value,
      login: textOrNull(login),
      authserv_id: textOrNull(authserv),
      ...credentialsIn(credentials),
    };
    await take(adminApi.POST('/admin/v1/placement/seeds', { body }));
    announce('The mailbox is added. Tests use it once a worker has read it.');
    onClose();
    await onAdded();
  };
  return (
    <Dialog title="Add a mailbox" onClose={onClose}>
      <ActionForm action="Add it" onAct={add}>
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
    </Dialog>
  );
}

/** A mailbox whose password was changed; one that was off is on again. */
export function RotateSeed({ of, onChanged }: Part<Named>) {
  return (
    <Opener action="New credentials" title={`New credentials of ${of.address}`} class="small">
      {(close) => (
        <>
          <p>
            What opened it before is forgotten. One that was off is on again, and is used once a worker has read it.
          </p>
          <RotateForm
            of={of}
            onChanged={() => {
              close();
              return onChanged();
            }}
          />
        </>
      )}
    </Opener>
  );
}

type Named = Pick<Admin['schemas']['SeedMailboxReply'], 'id' | 'address'>;

/** Of its own, so that nothing of what was typed is left once it is closed. */
function RotateForm({ of: { id, address }, onChanged }: Part<Named>) {
  const credentials = useCredentials();
  const rotate = async () => {
    const body = credentialsIn(credentials);
    await take(adminApi.POST('/admin/v1/placement/seeds/{id}/rotate', { params: { path: { id } }, body }));
    announce(`${address} has new credentials.`);
    await onChanged();
  };
  return (
    <ActionForm action="Set them" onAct={rotate}>
      <CredentialInputs of={credentials} />
    </ActionForm>
  );
}
