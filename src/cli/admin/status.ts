import { Command } from 'commander';
import type { StatusReply } from '../../admin/bodies/status.reply.js';
import { faultText, percentOf } from '../../admin/status/problems.js';
import { printable } from '../terminal/print.js';
import type { AdminCommandOf } from './commands.js';
import { counted } from '../../platform/counted.js';

export const statusCommand: AdminCommandOf = (run) =>
  new Command('status')
    .description(
      'Show in one screen whether all is well: workers, what waits and whose it is, operators, credits, sizes.',
    )
    .addHelpText('after', '\nExit code 1 where something is wrong, so that a script can ask.')
    .action(() =>
      run.onDatabase((program) => program.readStatus(), {
        isFine: ({ problems }) => problems.length === 0,
        text: screenOf,
      }),
    );

function screenOf(status: StatusReply): string {
  const now = Date.parse(status.checked_at);
  const ago = (time: string): string => duration(now - Date.parse(time));
  /** Such as `since 15:34 UTC (39 min)`. */
  const since = (time: string): string => `since ${momentOf(time, status.checked_at)} (${ago(time)})`;
  const { database, queues, workers, oldest_waiting: oldest, monitors_due: due, ledger, pool } = status;
  const lines: [string, string][] = [
    ['Mailsonde', `${status.version}, ${status.checked_at}`],
    ['Health', status.problems.length === 0 ? 'all is well' : counted(status.problems.length, 'problem', 'problems')],
    ...status.problems.map(({ alert, text }): [string, string] => [
      '',
      `! ${alert === null ? '' : `${alert}: `}${text}`,
    ]),
    [
      'Workers',
      workers.length === 0
        ? 'none'
        : `${workers.length} alive: ${workers
            .map(
              ({ id, since: begunAt, region, chunks, items }) =>
                `${id}${region === null ? '' : ` of ${region}`} ${since(begunAt)} has leased ${counted(chunks, 'chunk', 'chunks')} of ${counted(items, 'address', 'addresses')}`,
            )
            .join('; ')}`,
    ],
    [
      'Batches',
      `${queues.batches_queued} queued, ${queues.batches_processing} processing${status.begun.length === 0 ? '' : ': '}${status.begun
        .map(({ id, name, total, done }) => `${id} of ${name ?? 'an agent'}, ${done} of ${total} done`)
        .join('; ')}`,
    ],
    [
      'Chunks',
      `${queues.chunks_due} due, ${queues.chunks_leased} leased by workers, ${queues.chunks_later} tried again later`,
    ],
    [
      'Oldest waiting',
      oldest === null
        ? 'none: every batch that is due is worked on'
        : `batch ${oldest.id} of ${oldest.account_name ?? 'an agent'} (${oldest.account_id}) ${since(oldest.since)}: ${oldest.why}`,
    ],
    [
      'Deliveries',
      `${queues.deliveries_due} due${queues.oldest_delivery_due_at === null ? '' : `, the oldest for ${ago(queues.oldest_delivery_due_at)}`}, ${queues.deliveries_later} later`,
    ],
    ...listed(
      'Late webhooks',
      status.late_endpoints.map(
        ({ id, account_id: account, account_name: name, due: waiting, oldest_due_at: dueAt, ...endpoint }) =>
          `${waiting} to endpoint ${id} of ${name ?? 'an agent'} (${account}), due ${since(dueAt)}${failureOf(endpoint, since)}`,
      ),
      'none',
    ),
    ...listed(
      'Answers',
      status.days.map(
        ({ date, answers, unknown, credits, reasons }) =>
          `${date} ${answers}, ${percentOf(unknown, answers)} unknown${among(reasons)}, ${counted(credits, 'credit')}`,
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
            `${name} refuses ${source}${address === null ? '' : ` (${address})`}: ${codes}, ${counted(refusals, 'time')}; next trial at ${momentOf(until, status.checked_at)}`,
        ),
      ]),
      'all are asked',
    ),
    ...listed(
      'Refusals',
      status.refusals.map(
        ({ operator, source, kind, refusals, last_reply: reply, last_text: text, last_at: at }) =>
          `${operator} to ${source}, ${counted(refusals, 'time')} ${kind} in 24 hours, last at ${momentOf(at, status.checked_at)}: ${reply} ${text}`,
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
      status.port_25.map(({ machine, state, since: seenAt }) => `${state} on ${machine}, seen ${since(seenAt)}`),
      'no mail host was asked lately',
    ),
    ...listed(
      'Monitors',
      due === null
        ? []
        : [
            `${due.monitors} due, the oldest is ${due.oldest_id} of ${due.account_name ?? 'an agent'} (${due.account_id}) ${since(due.since)}`,
          ],
      'none is due',
    ),
    [
      'Ledger',
      ledger === null
        ? 'never compared'
        : `${ledger.drift === 0 ? 'every balance is its sum' : `differs by ${counted(ledger.drift, 'credit')} in ${counted(ledger.accounts, 'account', 'accounts')}`}, compared ${ago(ledger.compared_at)} ago`,
    ],
    ['Agents’ pool', `${pool.remaining} of ${pool.capacity} left today`],
    ...listed(
      'Refused today',
      [
        ...status.refused_today.map(
          ({ account_id: id, account_name: name, key_last_four: key, simulated, status: code, refusals, why }) =>
            `${name ?? 'an agent'} (${id}), ${simulated ? 'test key' : 'key'} …${key ?? 'deleted'}: ${counted(refusals, 'time')} ${code}${simulated ? ' (simulated)' : ''}, ${why}`,
        ),
        ...(status.more_refused_today === 0 ? [] : [`and ${counted(status.more_refused_today, 'other')}`]),
      ],
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

type LateEndpoint = StatusReply['late_endpoints'][number];

/** Such as `, failing since 15:58 UTC (14 min) and never delivered: timeout`. */
function failureOf(
  endpoint: Pick<LateEndpoint, 'failing_since' | 'last_success_at' | 'last_failure'>,
  since: (time: string) => string,
): string {
  if (endpoint.failing_since === null) return '';
  const never = endpoint.last_success_at === null ? ' and never delivered' : '';
  return `, failing ${since(endpoint.failing_since)}${never}: ${endpoint.last_failure ?? 'no answer'}`;
}

/** Such as `15:34 UTC`, with its day where that is another. */
function momentOf(time: string, now: string): string {
  const [day, clock] = time.split('T') as [string, string];
  return `${now.startsWith(day) ? '' : `${day} `}${clock.slice(0, 'HH:MM'.length)} UTC`;
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
