import type { Signal } from '@preact/signals';
import { CheckField, TextAreaField } from '../../parts/field.js';
import { type Permission, PERMISSIONS } from './key.js';

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
