import { type Signal, useSignal } from '@preact/signals';
import { CheckField, TextAreaField, TextField } from '../parts/field.js';
import { type Key, type Permission, PERMISSIONS } from './key.js';

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
          isChecked={held === null}
          onChange={(isAll) => (permissions.value = isAll ? null : PERMISSIONS.map(([name]) => name))}
        />
        {held !== null && (
          <div class="row">
            {PERMISSIONS.map(([name, text]) => (
              <CheckField
                key={name}
                label={text}
                isChecked={held.includes(name)}
                onChange={(isHeld) => toggle(name, isHeld)}
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
