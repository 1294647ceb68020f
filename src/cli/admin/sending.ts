import { type AdminSchemas, asks, REASON } from './commands.js';
import { group, option, PAGE } from '../terminal/route-commands.js';
import { textOf } from '../terminal/reply-text.js';

export const operatorCommands = group('operators', 'Mail operators: list, open no connection to one, resume.', [
  asks('list', 'List mail operators, which are paused, and which refuse us.', 'GET /operators', {
    text: ({ operators }) => textOf({ operators: operators.map(operatorRow) }),
  }),
  asks(
    'pause <operator>',
    'Open no connection to an operator any more, in any process.',
    'POST /operators/{id}/pause',
    {
      options: [REASON, option('--until <time>', 'such as 2027-01-31T12:00:00Z; without it until it is resumed')],
    },
  ),
  asks('resume <operator>', 'Let an operator be asked again.', 'POST /operators/{id}/resume'),
]);

function acceptsAll(measured: AdminSchemas['OperatorReply']['measured']): string | undefined {
  if (measured === null || measured.accepts_all_since === null) return undefined;
  const { accepts_all_since, mail_host, domain, reply } = measured;
  return `since ${accepts_all_since}: ${mail_host} said "${reply}" to a made-up name at ${domain}`;
}

function operatorRow({ name, title, paused, circuits, measured }: AdminSchemas['OperatorReply']): object {
  const refused = circuits.map(
    ({ source, last_refusal, open_until }) => `at ${source}: ${last_refusal} until ${open_until}`,
  );
  return {
    name,
    title,
    refuses_us: refused.join('; '),
    accepts_all: acceptsAll(measured),
    paused_since: paused?.since,
    until: paused?.until,
    by: paused?.by,
    reason: paused?.reason,
  };
}

export const egressCommands = group(
  'egress',
  'Sending addresses of ours: list, test one, drain or pause it, resume it.',
  [
    asks('list', 'List them, with what mail hosts see, and which operators refuse them.', 'GET /egress', {
      text: ({ sources }) => textOf({ sources: sources.map(sourceRow) }),
    }),
    asks('test <source>', 'Look at one now: HELO name, reverse name, SPF, block lists.', 'POST /egress/{id}/test', {
      isFine: ({ checks }) => checks.every(({ state }) => state !== 'fail'),
      text: ({ checks }) => textOf({ checks }),
    }),
    asks(
      'drain <source>',
      'Let one ask only where it has to come back, as after greylisting.',
      'POST /egress/{id}/drain',
      { options: [REASON] },
    ),
    asks('pause <source>', 'Let one ask nobody.', 'POST /egress/{id}/pause', { options: [REASON] }),
    asks('resume <source>', 'Let one ask again.', 'POST /egress/{id}/resume'),
  ],
);

/** Such as `12 greylisted, 3 ip_blocked`; null: nobody refused it. */
function countsOf(refusals: AdminSchemas['EgressSourceReply']['refusals']): string | null {
  const kinds = new Map<string, number>();
  for (const { kind, refusals: count } of refusals) kinds.set(kind, (kinds.get(kind) ?? 0) + count);
  return [...kinds].map(([kind, count]) => `${count} ${kind}`).join(', ') || null;
}

function sourceRow(source: AdminSchemas['EgressSourceReply']): object {
  const { name, address, proxy, condition, reason, checks, operators, circuits, refusals, processes } = source;
  return {
    name,
    address: address ?? proxy,
    condition,
    reason,
    fault:
      [...new Set(processes.flatMap(({ machine, fault }) => (fault === null ? [] : [`${machine}: ${fault}`])))].join(
        '; ',
      ) || null,
    failed: checks.flatMap(({ check, state }) => (state === 'fail' ? [check] : [])).join(', ') || null,
    asks: operators?.join(', ') ?? null,
    refusals_24h: countsOf(refusals),
    refused_by: circuits.map(({ operator, open_until }) => `${operator} until ${open_until}`).join('; ') || null,
  };
}

export const optOutCommands = group('opt-outs', 'Domains and mail hosts that are left alone: list, add, remove.', [
  asks('list', 'List them, newest first.', 'GET /opt-outs', { options: PAGE }),
  asks(
    'add <name>',
    'Ask about no mailbox of a domain, or connect to no mail host of that name, in any process.',
    'POST /opt-outs',
    {
      argument: { member: 'name' },
      options: [
        option('--kind <kind>', 'domain or mail_host').default('domain'),
        REASON,
        option('--until <time>', 'end time, such as 2027-01-31T12:00:00Z; default and maximum: 400 days from now'),
      ],
    },
  ),
  asks('remove <id>', 'Let it be asked again.', 'POST /opt-outs/{id}/remove', { options: [REASON] }),
]);
