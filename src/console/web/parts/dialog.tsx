import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { ActionForm } from './action.js';
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
