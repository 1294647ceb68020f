import { type Signal, signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { announce } from './announcer.js';
import { asFailure, type Failure, FailureNote } from './failure.js';

/** Something that the person starts and the service does, and what follows once it is done. */
export interface Act {
  /** A text that it brings is what is said. */
  readonly onAct: () => Promise<unknown>;
  /** Such as to load again what was changed. */
  readonly onDone?: (() => unknown) | undefined;
  /** What screen readers are told. */
  readonly said?: string | undefined;
}

interface Running {
  readonly isRunning: boolean;
  readonly failure: Failure | null;
  readonly run: () => Promise<void>;
}

/** One at a time, with its refusal beside it. */
function useAct({ onAct, onDone, said }: Act): Running {
  const isRunning = useSignal(false);
  const failure = useSignal<Failure | null>(null);
  const run = async () => {
    if (isRunning.value) return;
    isRunning.value = true;
    failure.value = null;
    try {
      const brought = await onAct();
      await onDone?.();
      const text = typeof brought === 'string' ? brought : said;
      if (text !== undefined) announce(text);
    } catch (error) {
      failure.value = asFailure(error);
    } finally {
      isRunning.value = false;
    }
  };
  return { isRunning: isRunning.value, failure: failure.value, run };
}

interface ActionButtonProps extends Act {
  readonly children: ComponentChildren;
  readonly class?: string | undefined;
  readonly disabled?: boolean;
  /** What it is called where the same words stand on many buttons. */
  readonly label?: string;
}

/** A button that waits for what it started; the refusal stands below it. */
export function ActionButton({ children, class: name, disabled = false, label, ...act }: ActionButtonProps) {
  const { isRunning, failure, run } = useAct(act);
  return (
    <>
      <button
        type="button"
        class={name}
        aria-label={label}
        disabled={disabled || isRunning}
        aria-busy={isRunning}
        onClick={() => void run()}
      >
        {children}
      </button>
      <FailureNote failure={failure} />
    </>
  );
}

interface ActionFormProps extends Act {
  readonly children?: ComponentChildren;
  /** What the button says. */
  readonly action: ComponentChildren;
  readonly class?: string | undefined;
  readonly disabled?: boolean | undefined;
}

/** A form with one button; Enter works, and the refusal stands below. */
export function ActionForm({ children, action, class: name = 'primary', disabled = false, ...act }: ActionFormProps) {
  const { isRunning, failure, run } = useAct(act);
  const submit = (event: Event) => {
    event.preventDefault();
    void run();
  };
  return (
    <form onSubmit={submit}>
      {children}
      <FailureNote failure={failure} />
      <button class={name} disabled={disabled || isRunning} aria-busy={isRunning}>
        {action}
      </button>
    </form>
  );
}

/** What is typed into the fields of a form, by their names. */
export type Fields<Values> = { readonly [Name in keyof Values]: Signal<Values[Name]> };

/** @param initial what the fields hold at first */
export function useFields<Values extends object>(initial: Values): Fields<Values> {
  const make = () => Object.fromEntries(Object.entries(initial).map(([name, value]) => [name, signal(value)]));
  return useState(make as () => Fields<Values>)[0];
}

/** As the API takes them: texts without blanks around them, and null for none. */
export function valuesIn<Values extends object>(fields: Fields<Values>) {
  const read = ({ value }: Signal<unknown>) => (typeof value === 'string' ? value.trim() || null : value);
  return Object.fromEntries(Object.entries<Signal<unknown>>(fields).map(([name, field]) => [name, read(field)])) as {
    [Name in keyof Values]: string extends Values[Name] ? string | null : Values[Name];
  };
}

export const numberIn = ({ value }: Signal<string>): number | null => (value.trim() === '' ? null : Number(value));
/** A time of the reader's zone. */
export const timeIn = ({ value }: Signal<string>): string | null =>
  value === '' ? null : new Date(value).toISOString();

interface Labelled {
  readonly label: string;
  readonly hint?: ComponentChildren;
}

interface LabelledControlProps extends Labelled {
  /** Whether its label stands behind it. */
  readonly isCheck?: boolean;
  /** Gets what names the control. */
  readonly children: (named: { id: string; 'aria-describedby': string | undefined }) => ComponentChildren;
}

/** A control between its label and what is said about it. */
export function LabelledControl({ label, hint, isCheck = false, children }: LabelledControlProps) {
  const id = useId();
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  const control = children({ id, 'aria-describedby': hintId });
  return (
    <div class={isCheck ? 'check' : 'labelled'}>
      {isCheck && control}
      <label for={id}>{label}</label>
      {!isCheck && control}
      {hint !== undefined && (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  );
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
  return (
    <LabelledControl label={label} hint={hint}>
      {(named) => (
        <input
          autocomplete="off"
          spellcheck={false}
          {...(rest as { type?: 'text' })}
          {...named}
          value={value}
          onInput={(event) => (value.value = event.currentTarget.value)}
          onChange={(event) => onEnter?.(event.currentTarget.value)}
        />
      )}
    </LabelledControl>
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
  const pick = onPick ?? ((picked: T) => (value.value = picked));
  return (
    <LabelledControl label={label} hint={hint}>
      {(named) => (
        <select {...named} value={value.value} onChange={(event) => pick(event.currentTarget.value as T)}>
          {options
            .map((option) => (typeof option === 'string' ? ([option, option] as const) : option))
            .map(([option, text]) => (
              <option key={option} value={option}>
                {text}
              </option>
            ))}
        </select>
      )}
    </LabelledControl>
  );
}

interface TextAreaFieldProps extends Labelled {
  readonly value: Signal<string>;
  readonly rows?: number;
  readonly placeholder?: string;
}

export function TextAreaField({ label, hint, value, rows = 4, placeholder }: TextAreaFieldProps) {
  return (
    <LabelledControl label={label} hint={hint}>
      {(named) => (
        <textarea
          {...named}
          rows={rows}
          spellcheck={false}
          placeholder={placeholder}
          value={value}
          onInput={(event) => (value.value = event.currentTarget.value)}
        />
      )}
    </LabelledControl>
  );
}

interface CheckFieldProps extends Labelled {
  /** A signal, or where `onPick` does the change whatever holds the value. */
  readonly value: { value: boolean };
  readonly onPick?: (isChecked: boolean) => void;
}

export function CheckField({ label, hint, value, onPick }: CheckFieldProps) {
  const pick = onPick ?? ((isChecked: boolean) => (value.value = isChecked));
  return (
    <LabelledControl label={label} hint={hint} isCheck>
      {(named) => (
        <input
          {...named}
          type="checkbox"
          checked={value.value}
          onChange={(event) => pick(event.currentTarget.checked)}
        />
      )}
    </LabelledControl>
  );
}
