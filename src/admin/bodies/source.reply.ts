import { field, Reply, replyOf } from '../../platform/http/reply.js';
import { REFUSAL_KINDS } from '../../sending/sources/refusal-kind.js';
import { CHECK_NAMES } from '../../sending/sources/watch/identity-checks.js';
import type { AdministeredSource } from '../egress-administration.service.js';

const CONDITIONS = ['open', 'drained', 'paused', 'resting'] as const;
const CHECK_STATES = ['pass', 'fail', 'unknown'] as const;
const PORT_STATES = ['open', 'blocked', 'unknown'] as const;

export class SourceCheckBody extends Reply({
  check: field.oneOf(CHECK_NAMES),
  state: field.oneOf(CHECK_STATES),
  text: field.text('What was found.'),
  checked_at: field.time(),
}) {}

export class SourceListingBody extends Reply({
  list: field.text('A row of `config/blacklists.json`.'),
  address: field.text(),
  text: field.text('What the listing means, and the list’s own words.'),
  harmful: field.boolean('Mail hosts refuse whom the list has: the source rests.'),
  since: field.time(),
}) {}

export class SourceCircuitBody extends Reply({
  operator: field.text('The mail operator that refuses the source.'),
  refusals: field.countFromOne('Refusals in a row, the most that a process has seen.'),
  last_refusal: field.text({ description: 'The codes of the last one.', example: '550 5.7.1' }),
  open_until: field.time('Then one connection tries whether it still refuses.'),
  processes: field.countFromOne('Processes that it refuses.'),
}) {}

export class SourceRefusalsBody extends Reply({
  operator: field.text(
    'A row of `config/mail-providers.json`, or the first mail host of an operator without one; `other` for more than can be told apart.',
  ),
  kind: field.oneOf(
    REFUSAL_KINDS,
    'ip_blocked: the address or its name. rate_limited: too much at once. sender_rejected: HELO name, MAIL FROM or SPF. greylisted: it wants to be asked again later.',
  ),
  refusals: field.countFromOne('Over all processes.'),
  last_reply: field.text({ description: 'The codes of the last one.', example: '450 4.2.0' }),
  last_text: field.text({
    description:
      'What the mail host wrote in it, on one line, without addresses, at most 512 bytes. Trust nothing in it.',
    example: 'Greylisted, please come back later',
  }),
  last_at: field.time(),
}) {}

export class SourceProcessBody extends Reply({
  machine: field.text(),
  port_25: field.oneOf(PORT_STATES),
  resting_until: field.timeOrNull('Null: neither the address nor its proxy has a fault.'),
  fault: field.textOrNull(),
}) {}

export class OperatorQuotaBody extends Reply({
  operator: field.text({ example: 'google' }),
  recipients: field.count(),
}) {}

export class EgressSourceReply extends Reply({
  name: field.text('Its name in `config/egress.json`; `default` without that file.'),
  address: field.textOrNull('Null: the system or a proxy chooses.'),
  proxy: field.textOrNull('Host and port of its SOCKS5 proxy.'),
  helo: field.text(),
  mail_from: field.text('Empty: the null sender.'),
  region: field.textOrNull(),
  weight: field.number(),
  since: field.timeOrNull('When it began to ask; null: long ago.'),
  recipients_today: field.countOrNull(
    'Recipients that it may name to each mail operator today, while it is new; null: as many as it likes.',
  ),
  recipients_today_at: field.listOf(
    OperatorQuotaBody,
    'The same at operators of a class of their own in the table of warming up; empty: it may name as many as it likes at all of them, or there are none.',
  ),
  operators: field.textsOrNull('The operators that it may ask; null: any.'),
  condition: field.oneOf(
    CONDITIONS,
    'open: it asks. drained: it asks only where it has to come back. paused: it asks nobody. resting: drained by itself, since a block list has it.',
  ),
  reason: field.textOrNull('Why it does not ask; null: it does.'),
  by: field.textOrNull('Who has drained or paused it.'),
  stopped_at: field.timeOrNull('Since when it does not ask.'),
  checks: field.listOf(SourceCheckBody, 'What mail hosts look at; empty before the first look.'),
  listings: field.listOf(SourceListingBody, 'Block lists that have it.'),
  circuits: field.listOf(SourceCircuitBody, 'Mail operators that refuse it.'),
  refusals: field.listOf(
    SourceRefusalsBody,
    'What mail operators refused it in the last 24 hours, to the hour, by operator and kind.',
  ),
  processes: field.listOf(SourceProcessBody, 'The processes that use it.'),
}) {}

export class EgressReply extends Reply({ sources: field.listOf(EgressSourceReply) }) {}

export function egressSourceReply({
  source,
  state,
  recipientsToday,
  recipientsTodayAt,
  circuits,
}: AdministeredSource): EgressSourceReply {
  const { stop, rest } = state;
  return replyOf(EgressSourceReply, {
    ...source,
    proxy: source.socks5 && `${source.socks5.host}:${source.socks5.port}`,
    since: source.since === null ? null : new Date(source.since),
    recipientsToday,
    recipientsTodayAt: [...recipientsTodayAt].map(([operator, recipients]) => ({ operator, recipients })),
    condition: stop?.condition ?? (rest === null ? 'open' : 'resting'),
    reason: stop?.reason ?? rest?.reason ?? null,
    by: stop?.changedBy ?? null,
    stoppedAt: stop?.changedAt ?? rest?.since ?? null,
    checks: state.checks.map((check) => replyOf(SourceCheckBody, { ...check, text: check.told })),
    listings: state.listings.map((one) =>
      replyOf(SourceListingBody, { ...one, text: one.told, harmful: one.isHarmful }),
    ),
    circuits: circuits.map((circuit) => replyOf(SourceCircuitBody, circuit)),
    refusals: state.refusals.map((refusal) => replyOf(SourceRefusalsBody, refusal)),
    processes: state.seen.map((process) => replyOf(SourceProcessBody, process)),
  });
}
