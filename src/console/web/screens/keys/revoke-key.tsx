import { useSignal } from '@preact/signals';
import { ActionForm } from '../../parts/action.js';
import { announce } from '../../parts/announcer.js';
import { Dialog } from '../../parts/dialog.js';
import { CheckField, TextField } from '../../parts/field.js';
import { api, take } from '../../shell/api.js';
import { session } from '../../shell/session.js';
import type { KeyDialogProps } from './change-key.js';
import { nameOf } from './key.js';

/** For a key that leaked: who had it may have made others. */
export const ALL_IT_MADE =
  'And with those before and after it by rotation, the keys that these made, and the agents that they claimed.';

/** For ever: so the name is typed, and nobody revokes the wrong one by a click. */
export function RevokeKey({ of: key, onDone, onClose }: KeyDialogProps) {
  const typed = useSignal('');
  const hasBranch = useSignal(false);
  const name = key.name ?? key.last_four;
  const revoke = async () => {
    const params = { path: { id: key.id }, query: { descendants: hasBranch.value } };
    await take(api.DELETE('/api/v1/keys/{id}', { params }));
    announce(hasBranch.value ? 'The key and all that it made are revoked.' : 'The key is revoked.');
    onDone();
  };
  return (
    <Dialog title={`Revoke ${nameOf(key)}?`} onClose={onClose}>
      <p>
        Within a second every request with it is refused, for ever, and browsers that are signed in with it are signed
        out. Batches that run go on.
      </p>
      {session.value?.key.id === key.id && <p class="error">You are signed in with this key: it signs you out too.</p>}
      <ActionForm action="Revoke for ever" class="danger" onAct={revoke} disabled={typed.value !== name}>
        <CheckField
          label="Revoke with all keys it made"
          hint={ALL_IT_MADE}
          isChecked={hasBranch.value}
          onChange={(isChecked) => (hasBranch.value = isChecked)}
        />
        <TextField label={`Type ${name} to revoke it`} value={typed} />
      </ActionForm>
    </Dialog>
  );
}
