import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { ActionForm } from './action.js';
import { Dialog } from './dialog.js';
import { TextField } from './field.js';

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
