import { useSignal } from '@preact/signals';
import { ActionButton, ActionForm } from '../parts/action.js';
import { announce } from '../parts/announcer.js';
import { Dialog } from '../parts/dialog.js';
import { TextField } from '../parts/field.js';

interface OnOrOffProps {
  readonly name: string;
  readonly isOff: boolean;
  /** What turning it off does, before it is done. */
  readonly warning: string;
  /** What is said once it is on, and once it is off. */
  readonly done: Readonly<Record<'on' | 'off', string>>;
  readonly turnOn: () => Promise<unknown>;
  readonly turnOff: (reason: string) => Promise<unknown>;
  readonly onChanged: () => Promise<unknown>;
}

/** A button that turns something on again, or one that turns it off for a reason. */
export function OnOrOff({ name, isOff, warning, done, turnOn, turnOff, onChanged }: OnOrOffProps) {
  const isOpen = useSignal(false);
  const reason = useSignal('');
  if (isOff)
    return (
      <ActionButton
        class="small"
        onAct={async () => {
          await turnOn();
          announce(done.on);
          await onChanged();
        }}
      >
        Turn on
      </ActionButton>
    );
  const act = async () => {
    await turnOff(reason.value.trim());
    isOpen.value = false;
    announce(done.off);
    await onChanged();
  };
  return (
    <>
      <button type="button" class="small danger" onClick={() => (isOpen.value = true)}>
        Turn off
      </button>
      {isOpen.value && (
        <Dialog title={`Turn ${name} off`} onClose={() => (isOpen.value = false)}>
          <p>{warning}</p>
          <ActionForm action="Turn off" class="danger" onAct={act} disabled={reason.value.trim() === ''}>
            <TextField label="Reason" value={reason} required maxLength={500} />
          </ActionForm>
        </Dialog>
      )}
    </>
  );
}
