import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Code } from './code.js';
import { type Act, ActionButton, ActionForm, TextField } from './form.js';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A question before everything else; Escape and the cross close it, and the focus goes back to where it came from. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    box.current?.showModal();
    // Else the cross has the focus, and Enter closes what was just opened.
    box.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
    return () =>
      queueMicrotask(() => {
        // What the dialog did may have taken away the button that opened it; whoever uses the keyboard stays on the screen.
        if (before instanceof HTMLElement && before.isConnected) before.focus();
        else document.querySelector('main')?.focus({ preventScroll: true });
      });
  }, []);
  return (
    <dialog ref={box} aria-labelledby={id} onClose={onClose}>
      <div class="title-line">
        <h2 id={id}>{title}</h2>
        <button type="button" class="quiet" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </div>
      {children}
    </dialog>
  );
}

interface OpenerProps {
  /** What the button says, and without a title of its own the dialog too. */
  readonly action: string;
  readonly title?: string | undefined;
  readonly class?: string | undefined;
  /** What the button is called where the same words stand on many. */
  readonly label?: string | undefined;
  readonly disabled?: boolean | undefined;
  /** Whether the dialog is there at first. */
  readonly isOpen?: boolean;
  readonly onOpen?: (() => void) | undefined;
  /** Gets what closes it. */
  readonly children: (close: () => void) => ComponentChildren;
}

/** A button that opens a dialog. */
export function Opener({ action, title = action, class: name, isOpen = false, onOpen, ...others }: OpenerProps) {
  const { label, disabled, children } = others;
  const isShown = useSignal(isOpen);
  const open = () => {
    onOpen?.();
    isShown.value = true;
  };
  const close = () => (isShown.value = false);
  return (
    <>
      <button type="button" class={name} aria-label={label} disabled={disabled} onClick={open}>
        {action}
      </button>
      {isShown.value && (
        <Dialog title={title} onClose={close}>
          {children(close)}
        </Dialog>
      )}
    </>
  );
}

interface FormDialogProps extends Omit<OpenerProps, 'children' | 'isOpen'>, Act {
  /** What the button of the dialog says, where it is something else than the one that opens it. */
  readonly submit?: string | undefined;
  /** Whether it does something that is hard to bring back. */
  readonly isDangerous?: boolean;
  /** Whether what is typed does not do yet. */
  readonly isIncomplete?: boolean | undefined;
  /** What will happen. */
  readonly about?: ComponentChildren;
  /** The fields. */
  readonly children?: ComponentChildren;
}

/** A button for a dialog with one form, which closes once the act and what follows it are done. */
export function FormDialog({
  submit,
  isDangerous = false,
  isIncomplete,
  about,
  children,
  onAct,
  onDone,
  said,
  ...opener
}: FormDialogProps) {
  return (
    <Opener {...opener}>
      {(close) => (
        <>
          {about}
          <ActionForm
            action={submit ?? opener.action}
            class={isDangerous ? 'danger' : 'primary'}
            disabled={isIncomplete}
            onAct={onAct}
            onDone={async () => {
              await onDone?.();
              close();
            }}
            said={said}
          >
            {children}
          </ActionForm>
        </>
      )}
    </Opener>
  );
}

interface ConfirmProps extends Act {
  /** What the button on the screen says, and the dialog's title. */
  readonly action: string;
  /** What will happen. */
  readonly children: ComponentChildren;
  /** A word that the person types first, where nothing brings it back. */
  readonly word?: string;
  readonly isSmall?: boolean;
  readonly disabled?: boolean;
}

/** A button whose act is asked about before it is done. */
export function Confirm({ children, word, isSmall = false, ...act }: ConfirmProps) {
  const typed = useSignal('');
  return (
    <FormDialog
      {...act}
      class={isSmall ? 'danger small' : 'danger'}
      isDangerous
      onOpen={() => (typed.value = '')}
      isIncomplete={word !== undefined && typed.value.trim() !== word}
      about={children}
    >
      {word !== undefined && <TextField label={`Type ${word} to confirm`} value={typed} />}
    </FormDialog>
  );
}

interface ReasonedProps extends Omit<FormDialogProps, 'onAct' | 'about'> {
  readonly onAct: (reason: string) => Promise<unknown>;
  /** What will happen. */
  readonly children?: ComponentChildren;
  /** What else is asked. */
  readonly fields?: ComponentChildren;
}

/** A button for an act that goes on record with its reason. */
export function Reasoned({ onAct, children, fields, ...act }: ReasonedProps) {
  const reason = useSignal('');
  const typed = reason.value.trim();
  return (
    <FormDialog {...act} isDangerous isIncomplete={typed === ''} about={children} onAct={() => onAct(typed)}>
      <TextField label="Reason" value={reason} required maxLength={500} />
      {fields}
    </FormDialog>
  );
}

interface SwitchProps {
  readonly isOff: boolean;
  readonly on: Act & { readonly action: string };
  readonly off: ReasonedProps;
  readonly onDone: () => unknown;
}

/** A button that turns something on again, or one that turns it off for a reason. */
export function Switch({ isOff, on: { action, ...on }, off, onDone }: SwitchProps) {
  if (!isOff) return <Reasoned class="small" {...off} onDone={onDone} />;
  return (
    <ActionButton class="small" {...on} onDone={onDone}>
      {action}
    </ActionButton>
  );
}

interface QuestionProps extends Act, Omit<DialogProps, 'title'> {
  /** What the button says that does it, and the one that does not. */
  readonly action: string;
  readonly keep?: string;
}

/** In a dialog: something that nothing brings back, asked about once more. */
export function Question({ action, keep = 'Keep it', onClose, children, ...act }: QuestionProps) {
  return (
    <>
      {children}
      <div class="actions">
        <ActionButton class="danger" {...act}>
          {action}
        </ActionButton>
        <button type="button" onClick={onClose}>
          {keep}
        </button>
      </div>
    </>
  );
}

interface ShownOnceProps extends Pick<Act, 'onDone'> {
  /** What is shown, such as `Secret`. */
  readonly label: string;
  readonly action: string;
  readonly make: () => Promise<string | null>;
  /** Where the secret is held: outside the dialog, which may be closed before anybody has copied it. */
  readonly made: Signal<string | null>;
  /** The fields, or what will happen. */
  readonly children: ComponentChildren;
}

/** A form that makes a secret, and then the secret in its place: the service itself keeps a hash of it only. */
export function ShownOnce({ label, make, made, children, ...form }: ShownOnceProps) {
  if (made.value === null)
    return (
      <ActionForm {...form} onAct={async () => void (made.value = await make())}>
        {children}
      </ActionForm>
    );
  return (
    <>
      <p>It is shown now and never again.</p>
      <Code label={label} text={made.value} />
    </>
  );
}
