import { Code } from '../code.js';
import { CopyButton } from '../copy-button.js';

interface RecordProps {
  /** Such as `TXT record`. */
  readonly what: string;
  /** What the name is to it: a file has an address. */
  readonly called?: 'Name' | 'At';
  readonly name: string;
  /** Null: it is to go. */
  readonly value: string | null;
}

/** A record as a person types it where their names are kept, each part to copy. */
export function RecordToPublish({ what, called = 'Name', name, value }: RecordProps) {
  return (
    <>
      <div class="name-line">
        <span class="hint">{called}</span>
        <pre class="mono wrap">{name}</pre>
        <CopyButton text={name} of={`the name ${name}`} />
      </div>
      {value !== null && <Code label={`The ${what} for ${name}`} text={value} />}
    </>
  );
}
