import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface Labelled {
  readonly label: string;
  readonly hint?: ComponentChildren;
}

interface TextFieldProps extends Labelled {
  readonly value: Signal<string>;
  /** Called once the reader has finished: with Enter, or by leaving the field. */
  readonly onEnter?: (text: string) => void;
  readonly type?: 'text' | 'password' | 'number' | 'date' | 'datetime-local' | 'search' | 'url';
  readonly name?: string;
  readonly autocomplete?: 'off' | 'current-password';
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly min?: number | string;
  readonly max?: number | string;
  readonly placeholder?: string;
}

export function TextField({ label, hint, value, onEnter, ...rest }: TextFieldProps) {
  const id = useId();
  return (
    <div class="labelled">
      <label for={id}>{label}</label>
      <input
        id={id}
        autocomplete="off"
        spellcheck={false}
        {...(rest as { type?: 'text' })}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        value={value}
        onInput={(event) => (value.value = event.currentTarget.value)}
        onChange={(event) => onEnter?.(event.currentTarget.value)}
      />
      <Hint id={`${id}-hint`}>{hint}</Hint>
    </div>
  );
}

interface SelectFieldProps<T extends string> extends Labelled {
  /** A signal, or where `onPick` does the change whatever holds the value. */
  readonly value: { value: T };
  /** Value and what a person reads, where it is not the value itself. */
  readonly options: readonly (T | readonly [value: T, text: string])[];
  /** What a choice does where it is more than to set the value. */
  readonly onPick?: (value: T) => void;
}

export function SelectField<T extends string>({ label, hint, value, options, onPick }: SelectFieldProps<T>) {
  const id = useId();
  return (
    <div class="labelled">
      <label for={id}>{label}</label>
      <select
        id={id}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        value={value.value}
        onChange={(event) => {
          const picked = event.currentTarget.value as T;
          if (onPick === undefined) value.value = picked;
          else onPick(picked);
        }}
      >
        {options
          .map((option) => (typeof option === 'string' ? ([option, option] as const) : option))
          .map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
      </select>
      <Hint id={`${id}-hint`}>{hint}</Hint>
    </div>
  );
}

interface TextAreaFieldProps extends Labelled {
  readonly value: Signal<string>;
  readonly rows?: number;
  readonly placeholder?: string;
}

export function TextAreaField({ label, hint, value, rows = 4, placeholder }: TextAreaFieldProps) {
  const id = useId();
  return (
    <div class="labelled">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        rows={rows}
        spellcheck={false}
        placeholder={placeholder}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        value={value}
        onInput={(event) => (value.value = event.currentTarget.value)}
      />
      <Hint id={`${id}-hint`}>{hint}</Hint>
    </div>
  );
}

interface CheckFieldProps extends Labelled {
  /** A signal, or where `onPick` does the change whatever holds the value. */
  readonly value: { value: boolean };
  readonly onPick?: (isChecked: boolean) => void;
}

export function CheckField({ label, hint, value, onPick }: CheckFieldProps) {
  const id = useId();
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        checked={value.value}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => {
          if (onPick === undefined) value.value = event.currentTarget.checked;
          else onPick(event.currentTarget.checked);
        }}
      />
      <label for={id}>{label}</label>
      <Hint id={`${id}-hint`}>{hint}</Hint>
    </div>
  );
}

function Hint({ id, children }: { readonly id: string; readonly children?: ComponentChildren }) {
  if (children === undefined) return null;
  return (
    <p class="hint" id={id}>
      {children}
    </p>
  );
}
