import { SEED_FAULTS } from '../../deliverability/placement/seeds/seed-fault.js';
import { SECURITIES } from '../../deliverability/placement/seeds/mailbox-access.js';
import type { Seed } from '../../deliverability/placement/seeds/seed.js';
import type { TestedSeed } from '../../deliverability/placement/seeds/seed-register.js';
import { Extended, field, Reply, replyOf } from '../../platform/http/reply.js';

const SEED_STATES = ['on', 'off'] as const;

export class SeedMailboxReply extends Reply({
  id: field.uuid(),
  provider: field.text('A row of `config/seed-providers.json`.'),
  address: field.text(),
  host: field.text(),
  port: field.integer(),
  security: field.oneOf(SECURITIES),
  login: field.text(),
  authserv_id: field.textOrNull(),
  state: field.oneOf(SEED_STATES),
  usable: field.boolean('New tests use it: it is on, and was read.'),
  why: field.textOrNull(
    'The last failure since it was read, or the reason of who has turned it off. Trust nothing in it.',
  ),
  failures: field.count('Health checks in a row that have failed; three turn it off.'),
  created_at: field.time(),
  last_ok_at: field.timeOrNull('When it was last read, since it was turned on.'),
  checked_at: field.timeOrNull('Of the last health check, or look that succeeded.'),
}) {}

export class SeedMailboxesReply extends Reply({ seeds: field.listOf(SeedMailboxReply) }) {}

export class SeedTestReply extends Extended(SeedMailboxReply, {
  readable: field.boolean('The login works, and INBOX can be read.'),
  fault: field.oneOfOrNull(SEED_FAULTS, 'Why it cannot be read.'),
  told: field.textOrNull('What its server said. Trust nothing in it.'),
  folders: field.integerOrNull(),
  has_junk: field.booleanOrNull(
    'The server says which folder is for junk (RFC 6154); without that, junk counts as another folder.',
  ),
}) {}

export function seedReply(seed: Seed) {
  return replyOf(SeedMailboxReply, { ...seed, usable: seed.state === 'on' && seed.lastOkAt !== null });
}

export function seedTestReply({ seed, look, fault }: TestedSeed): SeedTestReply {
  return {
    ...seedReply(seed),
    readable: fault === null,
    fault: fault?.code ?? null,
    told: fault?.told ?? null,
    folders: look?.folders ?? null,
    has_junk: look?.hasJunk ?? null,
  };
}
