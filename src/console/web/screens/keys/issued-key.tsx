import { Code } from '../../parts/code.js';
import type { Account } from '../../shell/api.js';

export type Issued = Account['schemas']['IssuedKeyReply'];

interface IssuedKeyProps {
  readonly issued: Issued;
  readonly onClose: () => void;
}

/** A new key, shown this once: the service itself keeps a hash of it only. */
export function IssuedKey({ issued, onClose }: IssuedKeyProps) {
  if (issued.api_key === null)
    return <p class="note">This key was made before; it cannot be shown again. Rotate it for a new one.</p>;
  return (
    <section class="card" aria-labelledby="issued">
      <h2 id="issued">The new key{issued.name === null ? '' : `: ${issued.name}`}</h2>
      <p>
        <strong>Copy it now: it is never shown again.</strong>
      </p>
      <Code label="Key" text={issued.api_key} />
      <Code label="Line for .env" text={`MAILSONDE_KEY=${issued.api_key}`} />
      <button type="button" onClick={onClose}>
        I have it
      </button>
    </section>
  );
}
