import { Command } from 'commander';
import { type AdminSchemas, ofId, paged, type PageOptions, type ReasonOptions, type Run } from './run.js';
import { textOf } from './text.js';

export function operatorCommands(run: Run): Command {
  const operators = new Command('operators').description('Mail operators: list, open no connection to one, resume.');
  operators
    .command('list')
    .description('List mail operators, which are paused, and which refuse us.')
    .action(() =>
      run.ask((api) => api.GET('/admin/v1/operators'), {
        text: ({ operators: all }) => textOf({ operators: all.map(operatorRow) }),
      }),
    );
  operators
    .command('pause <operator>')
    .description('Open no connection to an operator any more, in any process.')
    .requiredOption('--reason <text>', 'why, for the audit log')
    .option('--until <time>', 'such as 2027-01-31T12:00:00Z; without it until it is resumed')
    .action((name: string, body: AdminSchemas['PauseOperatorRequest']) =>
      run.ask((api) => api.POST('/admin/v1/operators/{id}/pause', { ...ofId(name), body })),
    );
  operators
    .command('resume <operator>')
    .description('Let an operator be asked again.')
    .action((name: string) => run.ask((api) => api.POST('/admin/v1/operators/{id}/resume', ofId(name))));
  return operators;
}

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

export function egressCommands(run: Run): Command {
  const egress = new Command('egress').description(
    'Sending addresses of ours: list, test one, drain or pause it, resume it.',
  );
  egress
    .command('list')
    .description('List them, with what mail hosts see, and which operators refuse them.')
    .action(() =>
      run.ask((api) => api.GET('/admin/v1/egress'), {
        text: ({ sources }) => textOf({ sources: sources.map(sourceRow) }),
      }),
    );
  egress
    .command('test <source>')
    .description('Look at one now: HELO name, reverse name, SPF, block lists.')
    .action((name: string) =>
      run.ask((api) => api.POST('/admin/v1/egress/{id}/test', ofId(name)), {
        isFine: ({ checks }) => checks.every(({ state }) => state !== 'fail'),
        text: ({ checks }) => textOf({ checks }),
      }),
    );
  for (const [word, description] of STOPS)
    egress
      .command(`${word} <source>`)
      .description(description)
      .requiredOption('--reason <text>', 'why, for the audit log')
      .action((name: string, body: ReasonOptions) =>
        run.ask((api) => api.POST(`/admin/v1/egress/{id}/${word}`, { ...ofId(name), body })),
      );
  egress
    .command('resume <source>')
    .description('Let one ask again.')
    .action((name: string) => run.ask((api) => api.POST('/admin/v1/egress/{id}/resume', ofId(name))));
  return egress;
}

const STOPS = [
  ['drain', 'Let one ask only where it has to come back, as after greylisting.'],
  ['pause', 'Let one ask nobody.'],
] as const;

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

export function optOutCommands(run: Run): Command {
  const optOuts = new Command('opt-outs').description('Domains and mail hosts that are left alone: list, add, remove.');
  paged(optOuts.command('list'))
    .description('List them, newest first.')
    .action((query: PageOptions) => run.ask((api) => api.GET('/admin/v1/opt-outs', { params: { query } })));
  optOuts
    .command('add <name>')
    .description('Ask about no mailbox of a domain, or connect to no mail host of that name, in any process.')
    .option('--kind <kind>', 'domain or mail_host', 'domain')
    .requiredOption('--reason <text>', 'why, for the audit log')
    .option('--until <time>', 'end time, such as 2027-01-31T12:00:00Z; default and maximum: 400 days from now')
    .action((name: string, options: Omit<AdminSchemas['OptOutRequest'], 'name'>) =>
      run.ask((api) => api.POST('/admin/v1/opt-outs', { body: { ...options, name } })),
    );
  optOuts
    .command('remove <id>')
    .description('Let it be asked again.')
    .requiredOption('--reason <text>', 'why, for the audit log')
    .action((id: string, body: ReasonOptions) =>
      run.ask((api) => api.POST('/admin/v1/opt-outs/{id}/remove', { ...ofId(id), body })),
    );
  return optOuts;
}
