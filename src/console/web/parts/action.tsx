import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { asFailure, type Failure, FailureNote } from './failure.js';

export interface Act {
  readonly isRunning: boolean;
  readonly failure: Failure | null;
  readonly run: () => Promise<void>;
}

/** Something that the person starts and the service does: one at a time, with its refusal beside it. */
function useAct(act: () => Promise<void>): Act {
  const isRunning = useSignal(false);
  const failure = useSignal<Failure | null>(null);
  const run = async () => {
    if (isRunning.value) return;
    isRunning.value = true;
    failure.value = null;
    try {
      await act();
    } catch (error) {
      failure.value = asFailure(error);
    } finally {
      isRunning.value = false;
    }
  };
  return { isRunning: isRunning.value, failure: failure.value, run };
}

interface ActionButtonProps {
  readonly onAct: () => Promise<void>;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly disabled?: boolean;
  /** What it is called where the same words stand on many buttons. */
  readonly label?: string;
}

/** A button that waits for what it started; the refusal stands below it. */
export function ActionButton({ onAct, children, class: name, disabled = false, label }: ActionButtonProps) {
  const act = useAct(onAct);
  return (
    <>
      <button
        type="button"
        class={name}
        aria-label={label}
        disabled={disabled || act.isRunning}
        aria-busy={act.isRunning}
        onClick={() => void act.run()}
      >
        {children}
      </button>
      <FailureNote failure={act.failure} />
    </>
  );
}

interface ActionFormProps {
  readonly onAct: () => Promise<void>;
  readonly children: ComponentChildren;
  /** What the button says. */
  readonly action: ComponentChildren;
  readonly class?: string;
  readonly disabled?: boolean | undefined;
}

/** A form with one button; Enter works, and the refusal stands below. */
export function ActionForm({ onAct, children, action, class: name = 'primary', disabled = false }: ActionFormProps) {
  const act = useAct(onAct);
  const submit = (event: Event) => {
    event.preventDefault();
    void act.run();
  };
  return (
    <form onSubmit={submit}>
      {children}
      <FailureNote failure={act.failure} />
      <button class={name} disabled={disabled || act.isRunning} aria-busy={act.isRunning}>
        {action}
      </button>
    </form>
  );
}
