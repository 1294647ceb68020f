import { OptionalText, OptionalOneOf, OptionalBoolean } from '../platform/http/fields.js';
import { CeilingFields, OptionalGrace, OptionalNetworks, OptionalPermissions, OptionalTime } from './key-fields.js';
import { type Permission, PERMISSIONS } from './scope/key-scope.js';

export class CreateKeyRequest extends CeilingFields {
  @OptionalOneOf(['live', 'test'], { default: 'live' })
  readonly kind?: 'live' | 'test' | null;

  @OptionalText(80, 'What the key is for.')
  readonly name?: string | null;

  @OptionalTime(
    'From then on the key is refused; without it, when the key that makes it is; made by an administrator, it then does not expire.',
  )
  readonly expires_at?: string | null;

  @OptionalPermissions(PERMISSIONS)
  readonly permissions?: readonly Permission[] | null;

  @OptionalNetworks()
  readonly networks?: readonly string[] | null;
}

/** A member that is left out stays as it is. */
export class ChangeKeyRequest extends CeilingFields {
  @OptionalText(80, 'What the key is for; null: nothing.')
  readonly name?: string | null;

  @OptionalPermissions(PERMISSIONS)
  readonly permissions?: readonly Permission[] | null;

  @OptionalNetworks()
  readonly networks?: readonly string[] | null;
}

export class RevokeKeyQuery {
  @OptionalBoolean(
    'Whether those before and after it by rotation are revoked too, and all keys that any of these has made or put in the place of another: all of them, or none.',
  )
  readonly descendants?: 'true' | 'false';
}

export class RotateKeyRequest {
  @OptionalGrace()
  readonly grace_seconds?: number | null;
}
