import { Command } from 'commander';
import { type StatusReply, statusReply } from '../../admin/bodies/status.reply.js';
import { counted, faultText, percentOf } from '../../admin/status/problems.js';
import { printable } from '../printable.js';
import type { Run } from './run.js';

export function statusCommand(run: Run): Command {
  return new Command('status')
    .description(
      'Show in one screen whether all is well: workers, what waits and whose it is, operators, credits, sizes.',
    )
    .addHelpText('after', '\nExit code 1 where something is wrong, so that a script can ask.')
    .action(() =>
      run(async (admin) => statusReply(await admin.status.read()), {
        isFine: ({ problems }) => problems.length === 0,
        text: screenOf,
      }),
    );
}

function screenOf(status: StatusReply): string {
  const now = Date.parse(status.checked_at);
  const ago = (time: string): string => duration(now - Date.parse(time));
  const { database, queues, workers, oldest_waiting: oldest, monitors_due: due, ledger, pool } = status;
  const lines: [string, string][] = [
    ['Mailsonde', `${status.version}, ${status.checked_at}`],
    ['Health', status.problems.length === 0 ? 'all is well' : counted(status.problems.length, 'problem', 'problems')],
    ...status.problems.map((problem): [string, string] => ['', `! ${problem}`]),
    [
      'Workers',
      workers.length === 0
        ? 'none'
        : `${workers.length} alive: ${workers
            .map(
              ({ id, since, region, chunks, items }) =>
                `${id}${region === null ? '' : ` of ${region}`} for ${ago(since)} has ${items} addresses in ${chunks} chunks`,
            )
            .join('; ')}`,
    ],
    ['Batches', `${queues.batches_queued} queued, ${queues.batches_processing} processing`],
    ['Chunks', `${queues.chunks_due} due, ${queues.chunks_leased} leased, ${queues.chunks_later} later`],
    [
      'Oldest waiting',
      oldest === null
        ? 'none: every batch that is due is worked on'
        : `batch ${oldest.id} of ${oldest.account_name ?? 'an agent'} (${oldest.account_id}) for ${ago(oldest.since)}: ${oldest.why}`,
    ],
    [
      'Deliveries',
      `${queues.deliveries_due} due${queues.oldest_delivery_due_at === null ? '' : `, the oldest for ${ago(queues.oldest_delivery_due_at)}`}, ${queues.deliveries_later} later`,
    ],
    ...listed(
      'Late webhooks',
      status.late_endpoints.map(
        ({ id, account_id: account, account_name: name, due, oldest_due_at: since }) =>
          `${due} to endpoint ${id} of ${name ?? 'an agent'} (${account}), the oldest for ${ago(since)}`,
      ),
      'none',
    ),
    ...listed(
      'Answers',
      status.days.map(
        ({ date, answers, unknown, credits, reasons }) =>
          `${date} ${answers}, ${percentOf(unknown, answers)} unknown${among(reasons)}, ${credits} credits`,
      ),
      'none',
    ),
    ...listed(
      'Operators',
      status.operators.flatMap(({ name, paused, circuits }) => [
        ...(paused === null
          ? []
          : [`${name} is paused: ${paused.reason} (${paused.by}, until ${paused.until ?? 'resumed'})`]),
        ...circuits.map(
          ({ source, address, last_refusal: codes, refusals, open_until: until }) =>
            `${name} refuses ${source}${address === null ? '' : ` (${address})`}: ${codes}, ${refusals} times, until ${until}`,
        ),
      ]),
      'all are asked',
    ),
    ...listed(
      'Refusals',
      status.refusals.map(
        ({ operator, source, kind, refusals, last_reply: reply, last_text: text }) =>
          `${operator} to ${source}, ${refusals} times ${kind}: ${reply} ${text}`,
      ),
      'none in 24 hours',
    ),
    ...listed(
      'Sources',
      status.source_faults.map(({ text, ...fault }) => faultText({ ...fault, told: text })),
      'mail hosts see no fault of them',
    ),
    ...listed(
      'Port 25',
      status.port_25.map(({ machine, state, since }) => `${state} on ${machine} for ${ago(since)}`),
      'no mail host was asked lately',
    ),
    ...listed(
      'Monitors',
      due === null
        ? []
        : [
            `${due.monitors} due, the oldest is ${due.oldest_id} of ${due.account_name ?? 'an agent'} (${due.account_id}) for ${ago(due.since)}`,
          ],
      'none is due',
    ),
    [
      'Ledger',
      ledger === null
        ? 'never compared'
        : `${ledger.drift === 0 ? 'every balance is its sum' : `differs by ${ledger.drift} credits in ${counted(ledger.accounts, 'account', 'accounts')}`}, ${ago(ledger.compared_at)} ago`,
    ],
    ['Agents’ pool', `${pool.remaining} of ${pool.capacity} left today`],
    ...listed(
      'Refused today',
      status.refused_today.map(
        ({ account_id: id, account_name: name, key_last_four: key, status: code, refusals, why }) =>
          `${name ?? 'an agent'} (${id}), key …${key ?? 'deleted'}: ${refusals} times ${code}, ${why}`,
      ),
      'nobody',
    ),
    [
      'Database',
      `PostgreSQL ${database.version}, ${size(database.bytes)}, ${database.connections} of ${database.max_connections} connections; ${database.largest
        .map(({ table, bytes }) => `${table} ${size(bytes)}`)
        .join(', ')}`,
    ],
    [
      'Disk',
      status.disk === null
        ? 'of another machine'
        : `${size(status.disk.free_bytes)} of ${size(status.disk.bytes)} free`,
    ],
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  return lines.map(([name, text]) => `${name.padEnd(width)}  ${printable(text)}\n`).join('');
}

function among(reasons: StatusReply['days'][number]['reasons']): string {
  return reasons.length === 0 ? '' : ` (${reasons.map(({ reason, answers }) => `${reason} ${answers}`).join(', ')})`;
}

function listed(name: string, texts: readonly string[], none: string): [string, string][] {
  return texts.length === 0 ? [[name, none]] : texts.map((text, index) => [index === 0 ? name : '', text]);
}

function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

function size(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}
