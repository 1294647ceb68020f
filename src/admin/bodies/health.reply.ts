import { DAY_MS } from '../../lib/durations.js';
import { field, Reply, replyOf } from '../../platform/http/reply.js';
import type { ListOverview } from '../../verify/ports/lists-directory.js';
import type { Workload } from '../workload.service.js';

export class WorkerReply extends Reply({
  id: field.integer('The number that it holds as long as it lives.'),
  since: field.time(),
  region: field.textOrNull('Whose accounts it works for, beside those without one; null: only for those.'),
  batches: field.count('Batches of which it has leased chunks.'),
  chunks: field.count(),
  items: field.count('Addresses or people in them that have no answer yet.'),
  lease_ends_at: field.timeOrNull('When the first of its leases ends unless it renews it; null when it has none.'),
}) {}

export class QueuesReply extends Reply({
  batches_queued: field.count('Batches that nobody has begun.'),
  batches_processing: field.count(),
  chunks_due: field.count('Chunks of batches that a worker may take now.'),
  chunks_leased: field.count('Chunks that a worker has.'),
  chunks_later: field.count('Chunks that are tried again later.'),
  deliveries_due: field.count('Deliveries to webhooks whose time has come.'),
  deliveries_later: field.count('Deliveries that are tried again later, or whose endpoint is disabled.'),
  oldest_delivery_due_at: field.timeOrNull('Since when the oldest due delivery waits.'),
}) {}

export class UnworkedRegionReply extends Reply({
  region: field.text({ example: 'eu' }),
  batches: field.countFromOne('Batches that wait for a worker of it.'),
  oldest_batch_id: field.id(),
}) {}

export class Port25Reply extends Reply({
  machine: field.text('Its host name.'),
  state: field.oneOf(
    ['open', 'blocked'],
    '`blocked`: a mail host stayed silent, and those of the domains that this service knows did too, so that connections do not leave the machine.',
  ),
  since: field.time(),
  answered_at: field.timeOrNull('When a mail host answered last; null: none has.'),
  processes: field.countFromOne('Processes of the machine that tell this.'),
}) {}

export class ResolverDoubtReply extends Reply({
  machine: field.text('Its host name.'),
  finding: field.oneOf(
    ['denies', 'makes_up'],
    '`denies`: its DNS resolver says that domains do not exist which it must know; `makes_up`: it has addresses for names that nobody has registered.',
  ),
  since: field.time(),
  processes: field.countFromOne('Processes of the machine that tell this.'),
}) {}

export class WorkersReply extends Reply({
  workers: field.listOf(WorkerReply, 'Processes that work on batches and are alive.'),
  queues: field.one(QueuesReply),
  unworked_regions: field.listOf(
    UnworkedRegionReply,
    'Regions that batches wait for, while no worker of them is alive.',
  ),
  port_25: field.listOf(
    Port25Reply,
    'Whether port 25 leaves the machines, as mail hosts have shown. A machine that has asked none yet is not there.',
  ),
  resolver_doubts: field.listOf(
    ResolverDoubtReply,
    'Machines whose DNS resolver lies: what needs the DNS is unknown there, and free. Every other one is believed.',
  ),
}) {}

export class MailListReply extends Reply({
  file: field.text({ example: 'disposable.txt' }),
  entries: field.count(),
  version: field.text({ description: 'The beginning of the SHA-256 of the file.', example: '0f3c5d1e2a4b' }),
  built_on: field.dayOrNull('Null: it is kept by hand.'),
  age_days: field.countOrNull('Days since it was built.'),
  changed_at: field.time('Of the file on this machine.'),
}) {}

export class MailListsReply extends Reply({ lists: field.listOf(MailListReply) }) {}

export function workersReply(workload: Workload): WorkersReply {
  const { workers, queue, unworked, deliveries, port25, resolverDoubts } = workload;
  return {
    workers: workers.map((worker) => replyOf(WorkerReply, worker)),
    queues: replyOf(QueuesReply, {
      ...queue,
      deliveriesDue: deliveries.due,
      deliveriesLater: deliveries.later,
      oldestDeliveryDueAt: deliveries.oldestDueAt,
    }),
    unworked_regions: unworked.map((region) => replyOf(UnworkedRegionReply, region)),
    port_25: port25.map((machine) => replyOf(Port25Reply, machine)),
    resolver_doubts: resolverDoubts.map((doubt) => replyOf(ResolverDoubtReply, doubt)),
  };
}

export function mailListReply(list: ListOverview, now: number): MailListReply {
  const { builtOn } = list;
  const ageDays = builtOn === null ? null : Math.max(0, Math.floor((now - Date.parse(builtOn)) / DAY_MS));
  return replyOf(MailListReply, { ...list, ageDays });
}
