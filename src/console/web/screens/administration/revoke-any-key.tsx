import { useSignal } from '@preact/signals';
import { announce } from '../../parts/announcer.js';
import { Confirm } from '../../parts/confirm.js';
import { CheckField } from '../../parts/field.js';
import { adminApi, take } from '../../shell/api.js';
import { ALL_IT_MADE } from '../keys/revoke-key.js';

interface RevokeProps {
  readonly id: string;
  readonly lastFour: string;
  readonly onRevoked: () => Promise<void>;
  readonly isSmall?: boolean;
  /** An agent makes no keys. */
  readonly isAgent?: boolean;
}

/** Nothing brings a revoked key back, so its last four signs are typed first. */
export function RevokeAnyKey({ id, lastFour, onRevoked, isSmall = false, isAgent = false }: RevokeProps) {
  const hasBranch = useSignal(false);
  const revoke = async () => {
    const params = { path: { id }, query: { descendants: hasBranch.value } };
    await take(adminApi.DELETE('/admin/v1/keys/{id}', { params }));
    announce(hasBranch.value ? 'The key and all that it made are revoked.' : 'The key is revoked.');
    await onRevoked();
  };
  return (
    <Confirm action="Revoke" word={lastFour} isSmall={isSmall} onAct={revoke}>
      <p>Every process refuses the key within a second. It cannot be brought back; make another in its place.</p>
      {!isAgent && (
        <CheckField
          label="Revoke with all keys it made"
          hint={ALL_IT_MADE}
          isChecked={hasBranch.value}
          onChange={(isChecked) => (hasBranch.value = isChecked)}
        />
      )}
    </Confirm>
  );
}
