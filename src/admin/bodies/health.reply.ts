import { ApiProperty } from '@nestjs/swagger';
import { DAY_MS } from '../../lib/durations.js';
import type { RegionWithoutWorker, Worker } from '../../batch/workers.service.js';
import type { MachinePort25 } from '../../operators/port25-states.service.js';
import { TIME_OR_NULL, COUNT, ID_SCHEMA } from '../../platform/http/schemas.js';
import type { ListOverview } from '../../verify/ports/lists-directory.js';
import type { Workload } from '../work-administration.service.js';

export class WorkerReply {
  @ApiProperty({ type: 'integer', description: 'The number that it holds as long as it lives.' })
  readonly id: number;

  @ApiProperty({ format: 'date-time' })
  readonly since: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Whose accounts it works for, beside those without one; null: only for those.',
  })
  readonly region: string | null;

  @ApiProperty({ ...COUNT, description: 'Batches of which it has leased chunks.' })
  readonly batches: number;

  @ApiProperty(COUNT)
  readonly chunks: number;

  @ApiProperty({ ...COUNT, description: 'Addresses or people in them that have no answer yet.' })
  readonly items: number;

  @ApiProperty({
    ...TIME_OR_NULL,
    description: 'When the first of its leases ends unless it renews it; null when it has none.',
  })
  readonly lease_ends_at: string | null;
}

export class QueuesReply {
  @ApiProperty({ ...COUNT, description: 'Batches that nobody has begun.' })
  readonly batches_queued: number;

  @ApiProperty(COUNT)
  readonly batches_processing: number;

  @ApiProperty({ ...COUNT, description: 'Chunks of batches that a worker may take now.' })
  readonly chunks_due: number;

  @ApiProperty({ ...COUNT, description: 'Chunks that a worker has.' })
  readonly chunks_leased: number;

  @ApiProperty({ ...COUNT, description: 'Chunks that are tried again later.' })
  readonly chunks_later: number;

  @ApiProperty({ ...COUNT, description: 'Deliveries to webhooks whose time has come.' })
  readonly deliveries_due: number;

  @ApiProperty({ ...COUNT, description: 'Deliveries that are tried again later, or whose endpoint is disabled.' })
  readonly deliveries_later: number;

  @ApiProperty({ ...TIME_OR_NULL, description: 'Since when the oldest due delivery waits.' })
  readonly oldest_delivery_due_at: string | null;
}

export class UnworkedRegionReply {
  @ApiProperty({ example: 'eu' })
  readonly region: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Batches that wait for a worker of it.' })
  readonly batches: number;

  @ApiProperty(ID_SCHEMA)
  readonly oldest_batch_id: number;
}

export class Port25Reply {
  @ApiProperty({ description: 'Its host name.' })
  readonly machine: string;

  @ApiProperty({
    enum: ['open', 'blocked'],
    description:
      '`blocked`: a mail host stayed silent, and those of the domains that this service knows did too, so that connections do not leave the machine.',
  })
  readonly state: string;

  @ApiProperty({ format: 'date-time' })
  readonly since: string;

  @ApiProperty({ ...TIME_OR_NULL, description: 'When a mail host answered last; null: none has.' })
  readonly answered_at: string | null;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Processes of the machine that tell this.' })
  readonly processes: number;
}

export class WorkersReply {
  @ApiProperty({ type: [WorkerReply], description: 'Processes that work on batches and are alive.' })
  readonly workers: readonly WorkerReply[];

  @ApiProperty({ type: QueuesReply })
  readonly queues: QueuesReply;

  @ApiProperty({
    type: [UnworkedRegionReply],
    description: 'Regions that batches wait for, while no worker of them is alive.',
  })
  readonly unworked_regions: readonly UnworkedRegionReply[];

  @ApiProperty({
    type: [Port25Reply],
    description:
      'Whether port 25 leaves the machines, as mail hosts have shown. A machine that has asked none yet is not there.',
  })
  readonly port_25: readonly Port25Reply[];
}

export class MailListReply {
  @ApiProperty({ example: 'disposable.txt' })
  readonly file: string;

  @ApiProperty(COUNT)
  readonly entries: number;

  @ApiProperty({ description: 'The beginning of the SHA-256 of the file.', example: '0f3c5d1e2a4b' })
  readonly version: string;

  @ApiProperty({ type: String, format: 'date', nullable: true, description: 'Null: it is kept by hand.' })
  readonly built_on: string | null;

  @ApiProperty({ type: 'integer', minimum: 0, nullable: true, description: 'Days since it was built.' })
  readonly age_days: number | null;

  @ApiProperty({ format: 'date-time', description: 'Of the file on this machine.' })
  readonly changed_at: string;
}

export class MailListsReply {
  @ApiProperty({ type: [MailListReply] })
  readonly lists: readonly MailListReply[];
}

export function workersReply({ workers, queue, unworked, deliveries, port25 }: Workload): WorkersReply {
  return {
    workers: workers.map(workerReply),
    queues: {
      batches_queued: queue.batchesQueued,
      batches_processing: queue.batchesProcessing,
      chunks_due: queue.chunksDue,
      chunks_leased: queue.chunksLeased,
      chunks_later: queue.chunksLater,
      deliveries_due: deliveries.due,
      deliveries_later: deliveries.later,
      oldest_delivery_due_at: deliveries.oldestDueAt?.toISOString() ?? null,
    },
    unworked_regions: unworked.map(unworkedRegionReply),
    port_25: port25.map(port25Reply),
  };
}

function unworkedRegionReply({ region, batches, oldestBatchId }: RegionWithoutWorker): UnworkedRegionReply {
  return { region, batches, oldest_batch_id: oldestBatchId };
}

function port25Reply({ machine, state, since, answeredAt, processes }: MachinePort25): Port25Reply {
  return {
    machine,
    state,
    since: since.toISOString(),
    answered_at: answeredAt?.toISOString() ?? null,
    processes,
  };
}

function workerReply({ since, leaseEndsAt, ...worker }: Worker): WorkerReply {
  return { ...worker, since: since.toISOString(), lease_ends_at: leaseEndsAt?.toISOString() ?? null };
}

export function mailListReply({ file, entries, version, builtOn, changedAt }: ListOverview, now: number) {
  return {
    file,
    entries,
    version,
    built_on: builtOn,
    age_days: builtOn === null ? null : Math.max(0, Math.floor((now - Date.parse(builtOn)) / DAY_MS)),
    changed_at: changedAt.toISOString(),
  } satisfies MailListReply;
}
