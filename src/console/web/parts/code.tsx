import { CopyButton } from './copy-button.js';

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
