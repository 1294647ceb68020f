import { Command } from 'commander';
import { ReasonRequest } from '../../../admin/bodies/admin.dto.js';
import {
  type EgressReply,
  type EgressSourceReply,
  egressSourceReply,
} from '../../../admin/bodies/egress/source.reply.js';
import { checked, type Run } from '../run.js';
import { textOf } from '../text.js';

export function egressCommands(run: Run): Command {
  const egress = new Command('egress').description(
    'Sending addresses of ours: list, test one, drain or pause it, resume it.',
  );
  egress
    .command('list')
    .description('List them, with what mail hosts see, and which operators refuse them.')
    .action(() =>
      run(async (admin): Promise<EgressReply> => ({ sources: (await admin.egress.list()).map(egressSourceReply) }), {
        text: ({ sources }) => textOf({ sources: sources.map(rowOf) }),
      }),
    );
  egress
    .command('test <source>')
    .description('Look at one now: HELO name, reverse name, SPF, block lists.')
    .action((name: string) =>
      run(async (admin, actor): Promise<EgressSourceReply> => egressSourceReply(await admin.egress.test(actor, name)), {
        isFine: ({ checks }) => checks.every(({ state }) => state !== 'fail'),
        text: ({ checks }) => textOf({ checks }),
      }),
    );
  for (const [word, condition, description] of STOPS)
    egress
      .command(`${word} <source>`)
      .description(description)
      .requiredOption('--reason <text>', 'why, for the audit log')
      .action((name: string, options: object) =>
        run(async (admin, actor): Promise<EgressSourceReply> => {
          const { reason } = await checked(ReasonRequest, options);
          return egressSourceReply(await admin.egress.stop(actor, name, { condition, reason }));
        }),
      );
  egress
    .command('resume <source>')
    .description('Let one ask again.')
    .action((name: string) =>
      run(async (admin, actor): Promise<EgressSourceReply> =>
        egressSourceReply(await admin.egress.resume(actor, name)),
      ),
    );
  return egress;
}

const STOPS = [
  ['drain', 'drained', 'Let one ask only where it has to come back, as after greylisting.'],
  ['pause', 'paused', 'Let one ask nobody.'],
] as const;

/** Such as `12 greylisted, 3 ip_blocked`; null: nobody refused it. */
function countsOf(refusals: EgressSourceReply['refusals']): string | null {
  const kinds = new Map<string, number>();
  for (const { kind, refusals: count } of refusals) kinds.set(kind, (kinds.get(kind) ?? 0) + count);
  return [...kinds].map(([kind, count]) => `${count} ${kind}`).join(', ') || null;
}

function rowOf(source: EgressSourceReply): object {
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
