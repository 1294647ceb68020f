import { announce } from '../../parts/announcer.js';
import { Confirm } from '../../parts/confirm.js';
import { adminApi, take } from '../../shell/api.js';

interface RevokeProps {
  readonly id: string;
  readonly lastFour: string;
  readonly onRevoked: () => Promise<void>;
  readonly isSmall?: boolean;
}

/** Nothing brings a revoked key back, so its last four signs are typed first. */
export function RevokeAnyKey({ id, lastFour, onRevoked, isSmall = false }: RevokeProps) {
  const revoke = async () => {
    await take(adminApi.DELETE('/admin/v1/keys/{id}', { params: { path: { id } } }));
    announce('The key is revoked.');
    await onRevoked();
  };
  return (
    <Confirm action="Revoke" word={lastFour} isSmall={isSmall} onAct={revoke}>
      <p>Every process refuses the key within a second. It cannot be brought back; make another in its place.</p>
    </Confirm>
  );
}
