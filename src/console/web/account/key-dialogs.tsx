import { type Signal, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { ActionForm } from '../parts/action.js';
import { Dialog } from '../parts/dialog.js';
import { CheckField, SelectField, TextAreaField, TextField } from '../parts/field.js';
import { type Account, api, take } from '../session/api.js';
import { session } from '../session/session.js';
import { type Key, nameOf, networksIn, type Permission, PERMISSIONS } from './key.js';
import { announce } from '../parts/announcer.js';
import { Code } from '../parts/code.js';

interface CreateKeyProps {
  readonly onDone: (issued: Issued) => void;
  readonly onClose: () => void;
}

export function CreateKey({ onDone, onClose }: CreateKeyProps) {
  const isSimulated = session.value?.simulated === true;
  const name = useSignal('');
  const kind = useSignal<'live' | 'test'>(isSimulated ? 'test' : 'live');
  const expires = useSignal('');
  const permissions = useSignal<readonly Permission[] | null>(null);
  const networks = useSignal('');
  const ceilings = useCeilings(null);
  const idempotencyKey = useRef(crypto.randomUUID());
  const create = async () => {
    const body = {
      kind: kind.value,
      name: name.value.trim() || null,
      expires_at: expires.value === '' ? null : new Date(expires.value).toISOString(),
      permissions: permissions.value === null ? null : [...permissions.value],
      networks: networksIn(networks.value),
      ...ceilingsIn(ceilings),
    };
    const header = { 'Idempotency-Key': idempotencyKey.current };
    onDone(await take(api.POST('/api/v1/keys', { params: { header }, body })));
  };
  return (
    <Dialog title="New key" onClose={onClose}>
      <ActionForm action="Make the key" onAct={create}>
        <TextField label="Name" value={name} maxLength={80} hint="What it is for, such as the system that uses it." />
        <div class="row">
          <SelectField
            label="Kind"
            value={kind}
            options={
              isSimulated
                ? [['test', 'Test: simulated, free']]
                : [
                    ['live', 'Live'],
                    ['test', 'Test: simulated, free'],
                  ]
            }
          />
          <TextField label="Works until" type="datetime-local" value={expires} hint="Empty: for ever." />
        </div>
        <ScopeFields permissions={permissions} networks={networks} />
        <CeilingFields of={ceilings} />
      </ActionForm>
    </Dialog>
  );
}

export interface KeyDialogProps {
  readonly of: Key;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function ChangeKey({ of: key, onDone, onClose }: KeyDialogProps) {
  const name = useSignal(key.name ?? '');
  const permissions = useSignal(key.permissions as readonly Permission[] | null);
  const networks = useSignal(key.networks?.join('\n') ?? '');
  const ceilings = useCeilings(key);
  const change = async () => {
    const body = {
      name: name.value.trim() || null,
      permissions: permissions.value === null ? null : [...permissions.value],
      networks: networksIn(networks.value),
      ...ceilingsIn(ceilings),
    };
    await take(api.PATCH('/api/v1/keys/{id}', { params: { path: { id: key.id } }, body }));
    announce('The key is changed.');
    onDone();
  };
  return (
    <Dialog title={`Change ${nameOf(key)}`} onClose={onClose}>
      <ActionForm action="Save" onAct={change}>
        <TextField label="Name" value={name} maxLength={80} />
        <ScopeFields permissions={permissions} networks={networks} />
        <CeilingFields of={ceilings} />
      </ActionForm>
    </Dialog>
  );
}

const GRACES = [
  ['0', 'at once'],
  ['3600', 'after an hour'],
  ['86400', 'after a day'],
  ['604800', 'after a week'],
] as const;

interface RotateKeyProps {
  readonly of: Key;
  readonly onDone: (issued: Issued) => void;
  readonly onClose: () => void;
}

export function RotateKey({ of: key, onDone, onClose }: RotateKeyProps) {
  const grace = useSignal<(typeof GRACES)[number][0]>('86400');
  const idempotencyKey = useRef(crypto.randomUUID());
  const rotate = async () => {
    const params = { path: { id: key.id }, header: { 'Idempotency-Key': idempotencyKey.current } };
    const body = { grace_seconds: Number(grace.value) };
    onDone(await take(api.POST('/api/v1/keys/{id}/rotate', { params, body })));
  };
  return (
    <Dialog title={`Rotate ${nameOf(key)}`} onClose={onClose}>
      <p>You get a new key with the same name, permissions and networks. The old one goes on for a while.</p>
      <ActionForm action="Make the new key" onAct={rotate}>
        <SelectField label="The old key ends" value={grace} options={GRACES} />
      </ActionForm>
    </Dialog>
  );
}

/** For a key that leaked: who had it may have made others. */
export const ALL_IT_MADE =
  'And with those before and after it by rotation, the keys that these made, and the agents that they claimed.';

/** For ever: so the name is typed, and nobody revokes the wrong one by a click. */
export function RevokeKey({ of: key, onDone, onClose }: KeyDialogProps) {
  const typed = useSignal('');
  const hasBranch = useSignal(false);
  const name = key.name ?? key.last_four;
  const revoke = async () => {
    const params = { path: { id: key.id }, query: { descendants: hasBranch.value } };
    await take(api.DELETE('/api/v1/keys/{id}', { params }));
    announce(hasBranch.value ? 'The key and all that it made are revoked.' : 'The key is revoked.');
    onDone();
  };
  return (
    <Dialog title={`Revoke ${nameOf(key)}?`} onClose={onClose}>
      <p>
        Within a second every request with it is refused, for ever, and browsers that are signed in with it are signed
        out. Batches that run go on.
      </p>
      {session.value?.key.id === key.id && <p class="error">You are signed in with this key: it signs you out too.</p>}
      <ActionForm action="Revoke for ever" class="danger" onAct={revoke} disabled={typed.value !== name}>
        <CheckField label="Revoke with all keys it made" hint={ALL_IT_MADE} value={hasBranch} />
        <TextField label={`Type ${name} to revoke it`} value={typed} />
      </ActionForm>
    </Dialog>
  );
}

export type Issued = Account['schemas']['IssuedKeyReply'];

interface IssuedKeyProps {
  readonly issued: Issued;
  readonly onClose: () => void;
}

/** A new key, shown this once: the service itself keeps a hash of it only. */
export function IssuedKey({ issued, onClose }: IssuedKeyProps) {
  if (issued.api_key === null)
    return <p class="note">This key was made before; it cannot be shown again. Rotate it for a new one.</p>;
  return (
    <section class="card" aria-labelledby="issued">
      <h2 id="issued">The new key{issued.name === null ? '' : `: ${issued.name}`}</h2>
      <p>
        <strong>Copy it now: it is never shown again.</strong>
      </p>
      <Code label="Key" text={issued.api_key} />
      <Code label="Line for .env" text={`MAILSONDE_KEY=${issued.api_key}`} />
      <button type="button" onClick={onClose}>
        I have it
      </button>
    </section>
  );
}

export interface Scope {
  /** Null: everything that the kind of key may. */
  readonly permissions: Signal<readonly Permission[] | null>;
  readonly networks: Signal<string>;
}

/** What a key may do, and from where. */
export function ScopeFields({ permissions, networks }: Scope) {
  const held = permissions.value;
  const toggle = (permission: Permission, isHeld: boolean) => {
    const rest = (permissions.value ?? []).filter((one) => one !== permission);
    permissions.value = isHeld ? [...rest, permission] : rest;
  };
  return (
    <>
      <fieldset>
        <legend>May</legend>
        <CheckField
          label="everything"
          value={{ value: held === null }}
          onPick={(isAll) => (permissions.value = isAll ? null : PERMISSIONS.map(([name]) => name))}
        />
        {held !== null && (
          <div class="row">
            {PERMISSIONS.map(([name, text]) => (
              <CheckField
                key={name}
                label={text}
                value={{ value: held.includes(name) }}
                onPick={(isHeld) => toggle(name, isHeld)}
              />
            ))}
          </div>
        )}
      </fieldset>
      <TextAreaField
        label="Networks"
        rows={2}
        value={networks}
        placeholder={'203.0.113.0/24\n2001:db8::/32'}
        hint="One a line. Empty: the key works from everywhere."
      />
    </>
  );
}

const CEILINGS = [
  ['credits_per_day', 'a day'],
  ['credits_per_month', 'a month'],
  ['credits_total', 'in all'],
] as const;
const FOR_KEYS = 'Empty: as many as the account has. Days and months are those of UTC.';
type Ceiling = (typeof CEILINGS)[number][0];

export type TypedCeilings = Readonly<Record<Ceiling, Signal<string>>>;

/** What is typed for each ceiling, beginning with what the key has. */
export function useCeilings(key: Key | null): TypedCeilings {
  const has = (ceiling: Ceiling): string => String(key?.ceilings?.[ceiling]?.credits ?? '');
  return {
    credits_per_day: useSignal(has('credits_per_day')),
    credits_per_month: useSignal(has('credits_per_month')),
    credits_total: useSignal(has('credits_total')),
  };
}

/** As the API takes them; an empty field takes a ceiling away. */
export function ceilingsIn(typed: TypedCeilings): Readonly<Record<Ceiling, number | null>> {
  const read = ({ value }: Signal<string>): number | null => (value.trim() === '' ? null : Number(value));
  return {
    credits_per_day: read(typed.credits_per_day),
    credits_per_month: read(typed.credits_per_month),
    credits_total: read(typed.credits_total),
  };
}

interface CeilingFieldsProps {
  readonly of: TypedCeilings;
  /** What empty fields mean, where it is not the rest of the balance. */
  readonly hint?: string;
}

export function CeilingFields({ of: typed, hint = FOR_KEYS }: CeilingFieldsProps) {
  return (
    <fieldset>
      <legend>Credits at most</legend>
      <div class="row">
        {CEILINGS.map(([name, text]) => (
          <TextField key={name} label={text} type="number" min={0} max={1_000_000_000} value={typed[name]} />
        ))}
      </div>
      <p class="hint">{hint}</p>
    </fieldset>
  );
}
