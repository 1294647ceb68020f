import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

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
