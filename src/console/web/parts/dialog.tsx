import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { ActionButton, ActionForm } from './action.js';
import { TextField } from './field.js';

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

interface ConfirmProps {
  /** What the button on the screen says, and the dialog's title. */
  readonly action: string;
  readonly onAct: () => Promise<void>;
  /** What will happen. */
  readonly children: ComponentChildren;
  /** A word that the person types first, where nothing brings it back. */
  readonly word?: string;
  readonly isSmall?: boolean;
  readonly disabled?: boolean;
}

/** A button whose act is asked about before it is done. */
export function Confirm({ action, onAct, children, word, isSmall = false, disabled = false }: ConfirmProps) {
  const isOpen = useSignal(false);
  const typed = useSignal('');
  const act = async () => {
    await onAct();
    isOpen.value = false;
  };
  const open = () => {
    typed.value = '';
    isOpen.value = true;
  };
  return (
    <>
      <button type="button" class={isSmall ? 'danger small' : 'danger'} disabled={disabled} onClick={open}>
        {action}
      </button>
      {isOpen.value && (
        <Dialog title={action} onClose={() => (isOpen.value = false)}>
          {children}
          <ActionForm
            action={action}
            class="danger"
            onAct={act}
            disabled={word !== undefined && typed.value.trim() !== word}
          >
            {word !== undefined && <TextField label={`Type ${word} to confirm`} value={typed} />}
          </ActionForm>
        </Dialog>
      )}
    </>
  );
}

interface OpenerProps {
  /** What the button says, and without a title of its own the dialog too. */
  readonly action: string;
  readonly title?: string;
  readonly class?: string | undefined;
  /** Gets what closes it. */
  readonly children: (close: () => void) => ComponentChildren;
  readonly onClose?: () => void;
}

/** A button that opens a dialog. */
export function Opener({ action, title = action, class: name, children, onClose }: OpenerProps) {
  const isOpen = useSignal(false);
  const close = () => {
    isOpen.value = false;
    onClose?.();
  };
  return (
    <>
      <button type="button" class={name} onClick={() => (isOpen.value = true)}>
        {action}
      </button>
      {isOpen.value && (
        <Dialog title={title} onClose={close}>
          {children(close)}
        </Dialog>
      )}
    </>
  );
}

interface ReasonedProps {
  /** What the button says. */
  readonly action: string;
  readonly title: string;
  /** What the button of the dialog says, where it is something else. */
  readonly submit?: string;
  readonly class?: string | undefined;
  readonly onAct: (reason: string) => Promise<unknown>;
  /** What will happen. */
  readonly children?: ComponentChildren;
  /** What else is asked. */
  readonly fields?: ComponentChildren;
}

/** A button for an act that goes on record with its reason. */
export function Reasoned({ action, title, submit = action, class: name, onAct, children, fields }: ReasonedProps) {
  const reason = useSignal('');
  return (
    <Opener action={action} title={title} class={name}>
      {(close) => (
        <>
          {children}
          <ActionForm
            action={submit}
            class="danger"
            disabled={reason.value.trim() === ''}
            onAct={async () => {
              await onAct(reason.value.trim());
              close();
            }}
          >
            <TextField label="Reason" value={reason} required maxLength={500} />
            {fields}
          </ActionForm>
        </>
      )}
    </Opener>
  );
}

interface QuestionProps {
  readonly title: string;
  /** What the button says that does it, and the one that does not. */
  readonly action: string;
  readonly keep?: string;
  readonly onAct: () => Promise<void>;
  readonly onClose: () => void;
  /** What will happen. */
  readonly children: ComponentChildren;
}

/** Something that nothing brings back, asked about once more. */
export function Question({ title, action, keep = 'Keep it', onAct, onClose, children }: QuestionProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <div class="actions">
        <ActionButton class="danger" onAct={onAct}>
          {action}
        </ActionButton>
        <button type="button" onClick={onClose}>
          {keep}
        </button>
      </div>
    </Dialog>
  );
}
