import { Injectable } from '@nestjs/common';
import { type DeliveryQueue, WebhookAdministrationService } from '../webhooks/webhook-administration.service.js';
import { type BatchQueue, type RegionWithoutWorker, type Worker, WorkersService } from '../batch/workers.service.js';
import { type MachinePort25, Port25States } from '../sending/operators/port25-states.service.js';
import { type MachineDoubt, ResolverDoubts } from '../resolver/resolver-doubts.service.js';

/** Who works, what waits, whether mail hosts can be reached, and whose DNS resolver lies. */
export interface Workload {
  readonly workers: readonly Worker[];
  readonly queue: BatchQueue;
  readonly unworked: readonly RegionWithoutWorker[];
  readonly deliveries: DeliveryQueue;
  readonly port25: readonly MachinePort25[];
  readonly resolverDoubts: readonly MachineDoubt[];
}

@Injectable()
export class WorkloadService {
  constructor(
    private readonly deliveries: WebhookAdministrationService,
    private readonly workers: WorkersService,
    private readonly port25: Port25States,
    private readonly resolvers: ResolverDoubts,
  ) {}

  async read(): Promise<Workload> {
    const [workers, queue, unworked, deliveries, port25, resolverDoubts] = await Promise.all([
      this.workers.list(),
      this.workers.queue(),
      this.workers.regionsWithoutWorker(),
      this.deliveries.queue(),
      this.port25.list(),
      this.resolvers.list(),
    ]);
    return { workers, queue, unworked, deliveries, port25, resolverDoubts };
  }
}
