import { ApiProperty } from '@nestjs/swagger';
import type { AuditReport } from '../../credits/credits-audit.js';
import type { Balance } from '../../credits/balance-credits.service.js';
import type { Account } from '../../keys/accounts/accounts.service.js';
import { PLANS } from '../../platform/config/policies.js';
import { PageOf } from '../../platform/http/page.js';
import { TIME_OR_NULL } from '../../platform/http/schemas.js';
import type { AccountOverview } from '../account-administration.service.js';

export class AccountReply {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;

  @ApiProperty({ enum: ['full', 'agent'] })
  readonly kind: string;

  @ApiProperty({ type: String, nullable: true })
  readonly name: string | null;

  @ApiProperty({ enum: [...PLANS, 'agent'] })
  readonly plan: string;

  @ApiProperty({ enum: ['active', 'suspended'] })
  readonly status: string;

  @ApiProperty({ format: 'date-time' })
  readonly created_at: string;

  @ApiProperty(TIME_OR_NULL)
  readonly suspended_at: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Whom to write to.' })
  readonly contact_email: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Of administrators, for administrators.' })
  readonly note: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Whose workers alone work on its batches; null: any worker does.',
    example: 'eu',
  })
  readonly region: string | null;
}

export class AccountCreditsBody {
  @ApiProperty({ type: 'integer' })
  readonly remaining: number;

  @ApiProperty({ type: 'integer', description: 'Held for work that still runs.' })
  readonly reserved: number;

  @ApiProperty({ type: 'integer' })
  readonly used_total: number;

  @ApiProperty({ type: 'integer' })
  readonly free_granted: number;
}

export class AccountOverviewReply extends AccountReply {
  @ApiProperty({
    type: AccountCreditsBody,
    nullable: true,
    description: "Null for an agent's account, which has daily credits.",
  })
  readonly credits: AccountCreditsBody | null;
}

export class AccountPageReply extends PageOf(AccountReply, 'accounts') {}

export function accountReply(account: Account) {
  return {
    id: account.id,
    kind: account.kind,
    name: account.name,
    plan: account.policy,
    status: account.suspendedAt === null ? 'active' : 'suspended',
    created_at: account.createdAt.toISOString(),
    suspended_at: account.suspendedAt?.toISOString() ?? null,
    contact_email: account.contactEmail,
    note: account.note,
    region: account.region,
  } satisfies AccountReply;
}

export function accountOverviewReply({ account, balance }: AccountOverview) {
  return { ...accountReply(account), credits: balance && balanceReply(balance) };
}

function balanceReply({ available, reserved, usedTotal, freeGranted }: Balance): AccountCreditsBody {
  return { remaining: available, reserved, used_total: usedTotal, free_granted: freeGranted };
}

/** What `npm run admin -- credits audit --json` prints. */
export type CreditsAuditReply = ReturnType<typeof creditsAuditReply>;

export function creditsAuditReply({ accounts, differing, differingCeilings }: AuditReport) {
  return {
    accounts,
    differing: differing.map((account) => ({
      account_id: account.accountId,
      balance: account.balance,
      ledger_sum: account.ledgerSum,
      reserved: account.reserved,
      ledger_reserved: account.ledgerReserved,
      open_reservations: account.openReservations,
      used_total: account.usedTotal,
      ledger_charged: account.ledgerCharged,
      entries: account.entries,
      ledger_entries: account.ledgerEntries,
      broken_entries: account.brokenEntries,
    })),
    differing_ceilings: differingCeilings.map((ceiling) => ({
      ceiling_id: ceiling.ceilingId,
      used: ceiling.used,
      used_month: ceiling.usedMonth,
      used_day: ceiling.usedDay,
      ledger_charged: ceiling.ledgerCharged,
      open_reservations: ceiling.openReservations,
    })),
  };
}
