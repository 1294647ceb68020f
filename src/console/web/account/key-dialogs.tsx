import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import {
  ActionForm,
  CheckField,
  type Fields,
  numberIn,
  SelectField,
  TextAreaField,
  TextField,
  timeIn,
  useFields,
  valuesIn,
} from '../parts/form.js';
import { type Account, api } from '../session/api.js';
import { session } from '../session/session.js';
import { type Key, networksIn, type Permission, PERMISSIONS } from './key.js';
import { Code } from '../parts/code.js';

export interface KeyDialogProps {
  readonly of: Key;
  /** Gets the new key, where there is one. */
  readonly onDone: (issued: Issued | null) => void;
  readonly onClose: () => void;
}

export function CreateKey({ onDone, onClose }: Omit<KeyDialogProps, 'of'>) {
  const isSimulated = session.value?.simulated === true;
  const fields = useFields({ kind: isSimulated ? ('test' as const) : ('live' as const), name: '', expires_at: '' });
  const scope = useScope(null);
  const ceilings = useCeilings(null);
  const idempotencyKey = useRef(crypto.randomUUID());
  const create = async () => {
    const body = {
      ...valuesIn(fields),
      expires_at: timeIn(fields.expires_at),
      ...scopeIn(scope),
      ...ceilingsIn(ceilings),
    };
    const header = { 'Idempotency-Key': idempotencyKey.current };
    onDone(await api.post('/api/v1/keys', { header, body }));
  };
  return (
    <ActionForm action="Make the key" onAct={create} onDone={onClose}>
      <TextField
        label="Name"
        value={fields.name}
        maxLength={80}
        hint="What it is for, such as the system that uses it."
      />
      <div class="row">
        <SelectField
          label="Kind"
          value={fields.kind}
          options={[...(isSimulated ? [] : [['live', 'Live'] as const]), ['test', 'Test: simulated, free']]}
        />
        <TextField label="Works until" type="datetime-local" value={fields.expires_at} hint="Empty: for ever." />
      </div>
      <ScopeFields of={scope} />
      <CeilingFields of={ceilings} />
    </ActionForm>
  );
}

export function ChangeKey({ of: key, onDone, onClose }: KeyDialogProps) {
  const name = useSignal(key.name ?? '');
  const scope = useScope(key);
  const ceilings = useCeilings(key);
  const change = () => {
    const body = {
      name: name.value.trim() || null,
      ...scopeIn(scope),
      ...ceilingsIn(ceilings),
    };
    return api.patch('/api/v1/keys/{id}', { path: { id: key.id }, body });
  };
  const changed = () => {
    onDone(null);
    onClose();
  };
  return (
    <ActionForm action="Save" onAct={change} onDone={changed} said="The key is changed.">
      <TextField label="Name" value={name} maxLength={80} />
      <ScopeFields of={scope} />
      <CeilingFields of={ceilings} />
    </ActionForm>
  );
}

const GRACES = [
  ['0', 'at once'],
  ['3600', 'after an hour'],
  ['86400', 'after a day'],
  ['604800', 'after a week'],
] as const;

export function RotateKey({ of: key, onDone, onClose }: KeyDialogProps) {
  const grace = useSignal<(typeof GRACES)[number][0]>('86400');
  const idempotencyKey = useRef(crypto.randomUUID());
  const rotate = async () => {
    const header = { 'Idempotency-Key': idempotencyKey.current };
    const body = { grace_seconds: Number(grace.value) };
    onDone(await api.post('/api/v1/keys/{id}/rotate', { path: { id: key.id }, header, body }));
  };
  return (
    <>
      <p>You get a new key with the same name, permissions and networks. The old one goes on for a while.</p>
      <ActionForm action="Make the new key" onAct={rotate} onDone={onClose}>
        <SelectField label="The old key ends" value={grace} options={GRACES} />
      </ActionForm>
    </>
  );
}

/** For a key that leaked: who had it may have made others. */
export const ALL_IT_MADE =
  'And with those before and after it by rotation, the keys that these made, the new tokens of keys that they rotated, and the agents that they claimed.';

/** For ever: so the name is typed, and nobody revokes the wrong one by a click. */
export function RevokeKey({ of: key, onDone, onClose }: KeyDialogProps) {
  const typed = useSignal('');
  const hasBranch = useSignal(false);
  const name = key.name ?? key.last_four;
  const query = { descendants: hasBranch.value };
  const revoked = () => {
    onDone(null);
    onClose();
  };
  return (
    <>
      <p>
        Within a second every request with it is refused, for ever, and browsers that are signed in with it are signed
        out. Batches that run go on.
      </p>
      {session.value?.key.id === key.id && <p class="error">You are signed in with this key: it signs you out too.</p>}
      <ActionForm
        action="Revoke for ever"
        class="danger"
        onAct={() => api.delete('/api/v1/keys/{id}', { path: { id: key.id }, query })}
        onDone={revoked}
        said={hasBranch.value ? 'The key and all that it made are revoked.' : 'The key is revoked.'}
        disabled={typed.value !== name}
      >
        <CheckField label="Revoke with all keys it made" hint={ALL_IT_MADE} value={hasBranch} />
        <TextField label={`Type ${name} to revoke it`} value={typed} />
      </ActionForm>
    </>
  );
}

export type Issued = Account['schemas']['IssuedKeyReply'];

/** A new key, shown this once: the service itself keeps a hash of it only. */
export function IssuedKey({ issued, onClose }: { readonly issued: Issued; readonly onClose: () => void }) {
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

/** What is chosen of what a key may do and from where, beginning with what the key has; null: everything that its kind may. */
const useScope = (key: Key | null) =>
  useFields({
    permissions: (key?.permissions ?? null) as readonly Permission[] | null,
    networks: key?.networks?.join('\n') ?? '',
  });
type Scope = ReturnType<typeof useScope>;

const scopeIn = ({ permissions: { value: held }, networks }: Scope) => ({
  permissions: held === null ? null : [...held],
  networks: networksIn(networks.value),
});

/** What a key may do, and from where. */
function ScopeFields({ of: { permissions, networks } }: { readonly of: Scope }) {
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

export type TypedCeilings = Fields<Record<Ceiling, string>>;

/** What is typed for each ceiling, beginning with what the key has. */
export function useCeilings(key: Key | null): TypedCeilings {
  const has = ([ceiling]: (typeof CEILINGS)[number]) => [ceiling, String(key?.ceilings?.[ceiling]?.credits ?? '')];
  return useFields(Object.fromEntries(CEILINGS.map(has)) as Record<Ceiling, string>);
}

/** As the API takes them; an empty field takes a ceiling away. */
export const ceilingsIn = (typed: TypedCeilings) =>
  Object.fromEntries(CEILINGS.map(([name]) => [name, numberIn(typed[name])])) as Record<Ceiling, number | null>;

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
