import { Command, InvalidArgumentError } from 'commander';
import { ReasonRequest } from '../../../admin/bodies/admin.dto.js';
import {
  type AllMonitorsReply,
  allMonitorsReply,
  type AnyMonitorReply,
  anyMonitorReply,
} from '../../../admin/bodies/deliverability/monitor.reply.js';
import { checked, type Run, whole } from '../run.js';
import { textOf } from '../text.js';
import { readId } from '../../../platform/http/ids.js';

export function monitorCommands(run: Run): Command {
  const monitors = new Command('monitors').description('Monitors of all accounts: list, late, pause one, resume it.');
  monitors
    .command('list')
    .description('How they are, and those that run next, at most 100.')
    .action(() =>
      run(
        async (admin): Promise<AllMonitorsReply> => {
          const { overview, monitors: all } = await admin.monitors.look();
          return allMonitorsReply(overview, all, new Date(admin.clock.now()));
        },
        { text: textOfAll },
      ),
    );
  monitors
    .command('late')
    .description(
      'Those whose time came a minute ago or earlier and that wait, the most overdue first. Exits with 1 if there are any.',
    )
    .option('--seconds <number>', 'so long, instead of a minute', lateSeconds, 60)
    .action(({ seconds }: { seconds: number }) =>
      run(
        async (admin): Promise<AllMonitorsReply> => {
          const now = new Date(admin.clock.now());
          const { overview, monitors: late } = await admin.monitors.late(seconds);
          return allMonitorsReply(overview, late, now);
        },
        { isFine: ({ monitors: late }) => late.length === 0, text: textOfAll },
      ),
    );
  monitors
    .command('pause <monitor>')
    .description('Keep one from running; its owner sees the reason.')
    .requiredOption('--reason <text>', 'why, for its owner and the audit log')
    .action((id: string, options: object) =>
      run(async (admin, actor): Promise<AnyMonitorReply> => {
        const { reason } = await checked(ReasonRequest, options);
        return anyMonitorReply(await admin.monitors.pause(actor, readId(id, 'monitor_not_found'), reason));
      }),
    );
  monitors
    .command('resume <monitor>')
    .description('Let one run again that an administrator has paused.')
    .action((id: string) =>
      run(async (admin, actor): Promise<AnyMonitorReply> =>
        anyMonitorReply(await admin.monitors.resume(actor, readId(id, 'monitor_not_found'))),
      ),
    );
  return monitors;
}

const MAX_SECONDS = 31_536_000;

function lateSeconds(text: string): number {
  const seconds = whole(text);
  if (seconds < 0 || seconds > MAX_SECONDS) throw new InvalidArgumentError(`It must be from 0 to ${MAX_SECONDS}.`);
  return seconds;
}

function textOfAll({ by_state, monitors, ...lag }: AllMonitorsReply): string {
  return textOf({ ...lag, ...Object.fromEntries(Object.entries(by_state)), monitors: monitors.map(rowOf) });
}

function rowOf({
  id,
  kind,
  target,
  mode,
  state,
  paused_by,
  next_run_at,
  last_run_at,
  account_id,
}: AnyMonitorReply): object {
  return { id, kind, target, mode, state, paused_by, next_run_at, last_run_at, account_id };
}
