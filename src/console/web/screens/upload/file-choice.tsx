import { useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import { TextAreaField } from '../../parts/field.js';

const ACCEPTED = '.csv,.tsv,.txt,text/csv,text/plain';

/** Three ways to the same: a file that is dropped, a file that is chosen, lines that are pasted. */
export function FileChoice({ onChoose }: { readonly onChoose: (file: File) => Promise<void> }) {
  const pasted = useSignal('');
  const isOver = useSignal(false);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const drop = (event: DragEvent) => {
    event.preventDefault();
    isOver.value = false;
    const file = event.dataTransfer?.files[0];
    if (file) void onChoose(file);
  };
  return (
    <div class="columns">
      <div
        class={isOver.value ? 'drop over' : 'drop'}
        role="group"
        aria-label="A file"
        onDragOver={(event) => {
          event.preventDefault();
          isOver.value = true;
        }}
        onDragLeave={() => (isOver.value = false)}
        onDrop={drop}
      >
        <p>Drop a CSV or text file here, or</p>
        <button type="button" class="primary" onClick={() => input.current?.click()}>
          Choose a file
        </button>
        <label class="visually-hidden" for={id}>
          File with addresses
        </label>
        <input
          ref={input}
          id={id}
          class="visually-hidden"
          type="file"
          tabindex={-1}
          accept={ACCEPTED}
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            if (file) void onChoose(file);
          }}
        />
        <p class="hint">CSV with a comma, semicolon, tab or bar; or one address a line. A spreadsheet saves as CSV.</p>
      </div>
      <div>
        <TextAreaField
          label="Or paste addresses"
          rows={6}
          value={pasted}
          placeholder={'jane@example.com\njohn@example.org'}
        />
        <button
          type="button"
          disabled={pasted.value.trim() === ''}
          onClick={() => void onChoose(new File([pasted.value], 'pasted.csv', { type: 'text/csv' }))}
        >
          Go on with these
        </button>
      </div>
    </div>
  );
}
