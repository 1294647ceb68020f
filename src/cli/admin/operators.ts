import { Command } from 'commander';
import { PauseOperatorRequest } from '../../admin/bodies/admin.dto.js';
import { type OperatorReply, operatorReply, type OperatorsReply } from '../../admin/bodies/operator.reply.js';
import { timeOrNull } from '../../keys/key-fields.js';
import { checked, type Run } from './run.js';
import { textOf } from './text.js';

export function operatorCommands(run: Run): Command {
  const operators = new Command('operators').description('Mail operators: list, open no connection to one, resume.');
  operators
    .command('list')
    .description('List mail operators, which are paused, and which refuse us.')
    .action(() =>
      run(
        async (admin): Promise<OperatorsReply> => ({ operators: (await admin.operators.list()).map(operatorReply) }),
        {
          text: ({ operators: all }) => textOf({ operators: all.map(rowOf) }),
        },
      ),
    );
  operators
    .command('pause <operator>')
    .description('Open no connection to an operator any more, in any process.')
    .requiredOption('--reason <text>', 'why, for the audit log')
    .option('--until <time>', 'such as 2027-01-31T12:00:00Z; without it until it is resumed')
    .action((name: string, options: object) =>
      run(async (admin, actor): Promise<OperatorReply> => {
        const { reason, until } = await checked(PauseOperatorRequest, options);
        return operatorReply(await admin.operators.pause(actor, name, { reason, until: timeOrNull(until) }));
      }),
    );
  operators
    .command('resume <operator>')
    .description('Let an operator be asked again.')
    .action((name: string) =>
      run(async (admin, actor): Promise<OperatorReply> => operatorReply(await admin.operators.resume(actor, name))),
    );
  return operators;
}

function acceptsAll(measured: OperatorReply['measured']): string | undefined {
  if (measured === null || measured.accepts_all_since === null) return undefined;
  const { accepts_all_since, mail_host, domain, reply } = measured;
  return `since ${accepts_all_since}: ${mail_host} said "${reply}" to a made-up name at ${domain}`;
}

function rowOf({ name, title, paused, circuits, measured }: OperatorReply): object {
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
