import { field, Reply, replyOf } from '../../platform/http/reply.js';
import type { Operator } from '../operator-administration.service.js';

export class OperatorPauseBody extends Reply({
  reason: field.text(),
  by: field.text('Who has paused it.'),
  since: field.time(),
  until: field.timeOrNull('Null: until it is resumed.'),
}) {}

export class OperatorCircuitBody extends Reply({
  source: field.text({ description: 'The name of the source of ours that it refuses.', example: 'default' }),
  address: field.textOrNull('The address of ours that it refuses; null where a proxy connects for us.'),
  refusals: field.countFromOne('Refusals in a row, the most that a process has seen.'),
  last_refusal: field.text({ description: 'The codes of the last one.', example: '550 5.7.1' }),
  open_until: field.time('Then one connection tries whether it still refuses.'),
  processes: field.countFromOne('Processes that it refuses.'),
}) {}

export class OperatorMeasureBody extends Reply({
  asked_at: field.time('When a made-up name was asked last: at most one an hour.'),
  accepted_in_a_row: field.count({ maximum: 2, description: 'Made-up names accepted in a row.' }),
  accepts_all_since: field.timeOrNull(
    'Since then it has accepted two in a row, and what it accepts is `catch_all`. Null: it is believed.',
  ),
  answered_at: field.timeOrNull('When it last accepted a made-up name or said that there is none such. Null: never.'),
  domain: field.textOrNull({ description: 'The domain of that name.', example: 'yandex.ru' }),
  mail_host: field.textOrNull({ description: 'The mail host that answered.', example: 'mx.yandex.ru' }),
  reply: field.textOrNull({ description: 'What it answered, without the name.', example: '250 Ok' }),
}) {}

export class OperatorReply extends Reply({
  name: field.text('A row of `config/mail-providers.json`, or the first mail host of an operator without one.'),
  title: field.textOrNull(),
  paused: field.oneOrNull(OperatorPauseBody, 'Null: it is asked as always.'),
  circuits: field.listOf(
    OperatorCircuitBody,
    'Where it refuses us, so that nobody asks it for a while and its addresses are `ip_blocked`.',
  ),
  measured: field.oneOrNull(
    OperatorMeasureBody,
    'What it has answered to made-up names, where it is believed to refuse unknown ones on its own domains. Null: it was asked none yet, or is never asked one.',
  ),
}) {}

export class OperatorsReply extends Reply({ operators: field.listOf(OperatorReply) }) {}

export function operatorReply({ name, title, pause, circuits, measure }: Operator): OperatorReply {
  return {
    name,
    title,
    paused:
      pause && replyOf(OperatorPauseBody, { ...pause, by: pause.pausedBy, since: pause.pausedAt, until: pause.endsAt }),
    circuits: circuits.map((circuit) => replyOf(OperatorCircuitBody, { ...circuit, address: circuit.address || null })),
    measured:
      measure &&
      replyOf(OperatorMeasureBody, {
        ...measure,
        answeredAt: measure.answer?.at ?? null,
        domain: measure.answer?.domain ?? null,
        mailHost: measure.answer?.mailHost ?? null,
        reply: measure.answer?.reply ?? null,
      }),
  };
}
