import { useSignal } from '@preact/signals';

/** A text to copy; a long one scrolls, by keyboard too. */
export function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div class="code">
      <pre tabindex={0} role="region" aria-label={label}>
        {text}
      </pre>
      <CopyButton text={text} of={label.toLowerCase()} />
    </div>
  );
}

const SAID_FOR_MS = 2_000;

/** Copies a text; says so, in its name too. Browsers have no clipboard on plain http away from this machine: then the text is selected. */
export function CopyButton({ text, of }: { readonly text: string; readonly of: string }) {
  const said = useSignal('Copy');
  const copy = async (event: MouseEvent) => {
    try {
      await navigator.clipboard.writeText(text);
      said.value = 'Copied';
    } catch {
      const code = (event.target as HTMLElement).parentElement?.querySelector('pre');
      if (code) getSelection()?.selectAllChildren(code);
      said.value = 'Selected';
    }
    setTimeout(() => (said.value = 'Copy'), SAID_FOR_MS);
  };
  return (
    <button type="button" onClick={(event) => void copy(event)} aria-label={`${said.value} ${of}`}>
      <span role="status">{said}</span>
    </button>
  );
}
