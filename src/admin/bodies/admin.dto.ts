import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min, NotEquals, ValidateBy, ValidateIf } from 'class-validator';
import type { AccountRequest } from '../../keys/accounts/accounts.service.js';
import { isContactAddress } from '../../keys/accounts/contact.js';
import {
  CeilingFields,
  OptionalNetworks,
  OptionalPermissions,
  OptionalTime,
  timeOrNull,
} from '../../keys/key-fields.js';
import {
  ADMIN_PERMISSIONS,
  type AdminPermission,
  adminScope,
  type Permission,
  PERMISSIONS,
} from '../../keys/scope/key-scope.js';
import { DEFAULT_PLAN, type Plan, PLANS } from '../../platform/config/policies.js';
import { FileQuery, PageQuery } from '../../platform/http/page.js';
import { OptionalText, OptionalUuid, RequiredText, OptionalOneOf } from '../../platform/http/fields.js';
import type { AccountChange } from '../account-changes.service.js';

/** The most credits of one grant, more than any customer buys at once; a slip of a digit must not become a balance. */
export const MAX_CREDITS = 1_000_000_000;

const SHOWN_PLANS = [...PLANS, 'agent'];

class AccountParticularsRequest {
  @ApiPropertyOptional({
    type: String,
    format: 'email',
    nullable: true,
    maxLength: 254,
    description: 'Whom to write to.',
  })
  @IsOptional()
  @ValidateBy({
    name: 'isContactAddress',
    validator: { validate: isContactAddress, defaultMessage: () => 'contact_email must be an email address' },
  })
  readonly contact_email?: string | null;

  @OptionalText(2_000, 'Of administrators, for administrators; no caller of the account sees it.')
  readonly note?: string | null;

  @OptionalText(40, 'Whose workers alone work on its batches, a region of a source or of a worker; null: any worker.')
  readonly region?: string | null;
}

export class CreateAccountRequest extends AccountParticularsRequest {
  @RequiredText(120)
  readonly name: string;

  @OptionalOneOf(PLANS)
  readonly plan?: Plan | null;
}

/** Null takes a contact, a note or a region away; a member that is missing leaves it as it is. */
export class ChangeAccountRequest extends AccountParticularsRequest {
  @OptionalOneOf(SHOWN_PLANS, {
    description:
      "`agent` is accepted only for an agent's account, and changes nothing there: such accounts have no plan.",
  })
  readonly plan?: Plan | null;
}

export function accountChangeOf({ plan, region, contact_email, note }: ChangeAccountRequest): AccountChange {
  return {
    ...(plan != null && { plan }),
    ...(region !== undefined && { region }),
    ...(contact_email !== undefined && { contactEmail: contact_email }),
    ...(note !== undefined && { note }),
  };
}

export function accountRequestOf({ name, plan, region, contact_email, note }: CreateAccountRequest): AccountRequest {
  const particulars = { contactEmail: contact_email ?? null, note: note ?? null };
  return { name, plan: plan ?? DEFAULT_PLAN, region: region ?? null, ...particulars };
}

export class ReasonRequest {
  @RequiredText(500)
  readonly reason: string;
}

export class PauseOperatorRequest extends ReasonRequest {
  @OptionalTime('Then the pause ends by itself; without it, when it is resumed.')
  readonly until?: string | null;
}

export class GrantRequest extends ReasonRequest {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_CREDITS })
  @IsInt()
  @Min(1)
  @Max(MAX_CREDITS)
  readonly amount: number;
}

export class AdjustRequest extends ReasonRequest {
  @ApiProperty({ type: 'integer', minimum: -MAX_CREDITS, maximum: MAX_CREDITS, not: { enum: [0] } })
  @IsInt()
  @NotEquals(0)
  @Min(-MAX_CREDITS)
  @Max(MAX_CREDITS)
  readonly amount: number;
}

export class CreateAdminKeyRequest {
  @RequiredText(80)
  readonly name: string;

  @OptionalTime('From then on the key is refused; without it, when the key that makes it is.')
  readonly expires_at?: string | null;

  @OptionalPermissions(ADMIN_PERMISSIONS)
  readonly permissions?: readonly AdminPermission[] | null;

  @OptionalNetworks()
  readonly networks?: readonly string[] | null;
}

export function adminKeyRequestOf({ name, expires_at, ...limits }: CreateAdminKeyRequest) {
  const scope = adminScope(limits);
  return { kind: 'admin', accountId: null, name, expiresAt: timeOrNull(expires_at), scope } as const;
}

/** A member that is left out stays as it is. */
export class ChangeAnyKeyRequest extends CeilingFields {
  @OptionalText(80, 'What the key is for; null: nothing.')
  readonly name?: string | null;

  @OptionalPermissions([...PERMISSIONS, ...ADMIN_PERMISSIONS])
  readonly permissions?: readonly (Permission | AdminPermission)[] | null;

  @OptionalNetworks()
  readonly networks?: readonly string[] | null;
}

export class AccountsQuery extends PageQuery {
  @OptionalOneOf(PLANS)
  readonly plan?: Plan;
}

export class AgentsQuery extends PageQuery {
  @OptionalText(64, 'An IP address or a network.')
  readonly address?: string;

  @OptionalText(255, 'Part of name, purpose or contact.')
  readonly text?: string;

  @OptionalText(4, 'The last four characters of the token.')
  readonly last_four?: string;
}

export class RevokeAgentsRequest {
  @RequiredText(64)
  readonly address: string;
}

export class CapacityRequest {
  /** Null: the configured capacity. A missing member is refused, so that a misspelt name changes nothing. */
  @ApiProperty({
    type: 'integer',
    nullable: true,
    minimum: 0,
    maximum: MAX_CREDITS,
    description: 'Null: what is configured.',
  })
  @ValidateIf((_, value) => value !== null)
  @IsInt()
  @Min(0)
  @Max(MAX_CREDITS)
  readonly capacity: number | null;
}

export class AuditQuery extends FileQuery {
  @OptionalUuid()
  readonly account_id?: string;
}

export class SearchQuery {
  @RequiredText(500)
  readonly q: string;
}

export class LookupRequest {
  @RequiredText(100)
  readonly token: string;
}
