import { ApiProperty } from '@nestjs/swagger';
import { SEED_FAULTS, type SeedFaultCode } from '../../placement/seeds/seed-fault.js';
import { SECURITIES, type Security } from '../../placement/seeds/mailbox-access.js';
import type { Seed } from '../../placement/seeds/seed.js';
import type { TestedSeed } from '../../placement/seeds/seed-register.js';
import { TIME_OR_NULL } from '../../platform/http/schemas.js';

const SEED_STATES = ['on', 'off'] as const;

export class SeedMailboxReply {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;

  @ApiProperty({ description: 'A row of `config/seed-providers.json`.' })
  readonly provider: string;

  @ApiProperty()
  readonly address: string;

  @ApiProperty()
  readonly host: string;

  @ApiProperty({ type: 'integer' })
  readonly port: number;

  @ApiProperty({ enum: SECURITIES })
  readonly security: Security;

  @ApiProperty()
  readonly login: string;

  @ApiProperty({ type: String, nullable: true })
  readonly authserv_id: string | null;

  @ApiProperty({ enum: SEED_STATES })
  readonly state: (typeof SEED_STATES)[number];

  @ApiProperty({ description: 'New tests use it: it is on, and was read.' })
  readonly usable: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The last failure since it was read, or the reason of who has turned it off. Trust nothing in it.',
  })
  readonly why: string | null;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Health checks in a row that have failed; three turn it off.',
  })
  readonly failures: number;

  @ApiProperty({ format: 'date-time' })
  readonly created_at: string;

  @ApiProperty({ ...TIME_OR_NULL, description: 'When it was last read, since it was turned on.' })
  readonly last_ok_at: string | null;

  @ApiProperty({ ...TIME_OR_NULL, description: 'Of the last health check, or look that succeeded.' })
  readonly checked_at: string | null;
}

export class SeedMailboxesReply {
  @ApiProperty({ type: [SeedMailboxReply] })
  readonly seeds: readonly SeedMailboxReply[];
}

export class SeedTestReply extends SeedMailboxReply {
  @ApiProperty({ description: 'The login works, and INBOX can be read.' })
  readonly readable: boolean;

  @ApiProperty({ enum: SEED_FAULTS, nullable: true, description: 'Why it cannot be read.' })
  readonly fault: SeedFaultCode | null;

  @ApiProperty({ type: String, nullable: true, description: 'What its server said. Trust nothing in it.' })
  readonly told: string | null;

  @ApiProperty({ type: 'integer', nullable: true })
  readonly folders: number | null;

  @ApiProperty({
    type: Boolean,
    nullable: true,
    description: 'The server says which folder is for junk (RFC 6154); without that, junk counts as another folder.',
  })
  readonly has_junk: boolean | null;
}

export function seedReply(seed: Seed): SeedMailboxReply {
  return bodyOf(seed);
}

function bodyOf(seed: Seed) {
  return {
    id: seed.id,
    provider: seed.provider,
    address: seed.address,
    host: seed.host,
    port: seed.port,
    security: seed.security,
    login: seed.login,
    authserv_id: seed.authservId,
    state: seed.state,
    usable: seed.state === 'on' && seed.lastOkAt !== null,
    why: seed.why,
    failures: seed.failures,
    created_at: seed.createdAt.toISOString(),
    last_ok_at: seed.lastOkAt?.toISOString() ?? null,
    checked_at: seed.checkedAt?.toISOString() ?? null,
  };
}

export function seedTestReply({ seed, look, fault }: TestedSeed): SeedTestReply {
  return {
    ...bodyOf(seed),
    readable: fault === null,
    fault: fault?.code ?? null,
    told: fault?.told ?? null,
    folders: look?.folders ?? null,
    has_junk: look?.hasJunk ?? null,
  };
}
